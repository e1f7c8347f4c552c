/** How a declared pattern is matched, or why it cannot be. */
export type PatternReading =
  | { readonly problem: string }
  | {
      readonly problem?: undefined;
      readonly test: (text: string) => boolean;
      /** Longest text in characters that the pattern is matched with. */
      readonly longest: number;
    };

/** Reads patterns; injected, because what is only declared should not load an engine of regular expressions. */
export type PatternReader = (pattern: RegExp) => PatternReading;
