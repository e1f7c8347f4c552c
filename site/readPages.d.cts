interface Page {
  readonly path: string;
  readonly title: string;
  readonly about: string;
}
declare function readPages(): readonly { readonly title: string; readonly pages: readonly Page[] }[];
export = readPages;
