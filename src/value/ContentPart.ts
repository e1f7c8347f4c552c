/** The source of the bytes of a part: in the message as base64, or at an address that the provider fetches. */
export type ContentSource =
  { readonly data: string; readonly url?: undefined } | { readonly url: string; readonly data?: undefined };

/** One part of a message's content: text, or bytes with their media type, e.g. `image/png`. Plain JSON. */
export type ContentPart =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'image'; readonly mediaType: string } & ContentSource)
  | ({ readonly kind: 'audio'; readonly mediaType: string } & ContentSource)
  | ({ readonly kind: 'file'; readonly mediaType: string; readonly name?: string | undefined } & ContentSource);

/** A part of content without its bytes, as events show it. */
export type ContentPartSummary =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image' | 'audio' | 'file';
      readonly mediaType: string;
      readonly name?: string | undefined;
      /** The number of bytes; undefined for a part at an address. */
      readonly bytes?: number | undefined;
      /** The address at which the provider fetches it. */
      readonly url?: string | undefined;
    };
