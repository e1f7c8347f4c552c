/** Where the bytes of a part are: in the message, as base64, or at an address that the provider fetches. */
export type ContentSource =
  { readonly data: string; readonly url?: undefined } | { readonly url: string; readonly data?: undefined };

/** One part of a message's content: text, or bytes with their media type, e.g. `image/png`. Plain JSON. */
export type ContentPart =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'image'; readonly mediaType: string } & ContentSource)
  | ({ readonly kind: 'audio'; readonly mediaType: string } & ContentSource)
  | ({ readonly kind: 'file'; readonly mediaType: string; readonly name?: string | undefined } & ContentSource);
