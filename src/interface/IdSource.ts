/** Port to fresh ids: unique strings. */
export type IdSource = () => string;
