declare const entries: Readonly<Record<string, string>>;
export = entries;
