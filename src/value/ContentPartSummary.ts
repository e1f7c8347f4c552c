/** A part of content as events show it: without its bytes. */
export type ContentPartSummary =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image' | 'audio' | 'file';
      readonly mediaType: string;
      readonly name?: string | undefined;
      /** The number of its bytes; undefined for a part at an address. */
      readonly bytes?: number | undefined;
      /** The address at which the provider fetches it. */
      readonly url?: string | undefined;
    };
