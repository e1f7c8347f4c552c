import { importsOf, type Rule } from './SourceTree';

/**
 * A model that judges the framework imports none of it, nor anything that might: only Node's modules and other models.
 * The paths are relative to `spec/`.
 */
export function modelsStandAlone(models: readonly string[]): Rule {
  return (tree) =>
    models.flatMap((path) => {
      const file = tree.get(path);
      if (file === undefined) return [`spec/${path} is missing`];
      return importsOf(file)
        .filter(({ specifier }) => !specifier.startsWith('node:'))
        .filter(({ target }) => target === undefined || !models.includes(withEnding(target)))
        .map(({ specifier, line }) => `spec/${path}:${String(line)} imports ${specifier}, and is a model`);
    });
}

function withEnding(target: string): string {
  return target.endsWith('.ts') ? target : `${target}.ts`;
}
