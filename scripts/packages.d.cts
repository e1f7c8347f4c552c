interface Package {
  readonly folder: string;
  readonly manifest: {
    readonly name: string;
    readonly version: string;
    readonly exports: Readonly<Record<string, unknown>>;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
    readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
  };
  readonly entries: Readonly<Record<string, string>>;
}
declare const packages: readonly Package[];
export = packages;
