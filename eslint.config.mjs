// Type errors are the compiler's business (`npm run typecheck`), layout is prettier's, and the rules on folders, imports
// and file length are checked by spec/architecture.spec.ts. What is left for ESLint is what it alone can see.
import tseslint from 'typescript-eslint';

// A program per project is created once. The service of `projectService` updates its project for each file, and takes 1.6 times as long.
const projects = [
  'tsconfig.json',
  'packages/inspector/tsconfig.json',
  'packages/ui/src/approval/tsconfig.json',
  'spec/toolchain/standard/tsconfig.json',
];

export default tseslint.config(
  // These are checked where their libraries are installed: spec/resource/postgres/recipes.spec.ts compiles the recipes, and the build of
  // the desk its page.
  { ignores: ['**/dist/', 'build/', 'coverage/', 'site/pages/', '**/.dist-*/', 'recipes/', 'samples/40-desk/page/'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: projects, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-restricted-globals': ['error', 'process'],
      // It knows that emitted metadata needs the value of a class that stands in a decorated signature.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // It asks for `x!`, which no-non-null-assertion forbids.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Handlers return promises or plain values by the user's choice; an async method without await is a fine way to write one.
      '@typescript-eslint/require-await': 'off',
      // Declarations are classes: a section without state, a params class without methods.
      '@typescript-eslint/no-extraneous-class': 'off',
      // A handler without a result is a `ToolHandler<P, void>`.
      '@typescript-eslint/no-invalid-void-type': [
        'error',
        { allowInGenericTypeArguments: true, allowAsThisParameter: true },
      ],
      // The fields of an event stand once, in an interface that its class takes over.
      '@typescript-eslint/no-unsafe-declaration-merging': 'off',
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      // A type parameter that stands once may still brand or infer.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
    },
  },
  {
    // Programs may replace methods and iterators, so this code keeps the original ones, and goes through lists by their index.
    files: ['packages/programs/src/sandbox/guest/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off', '@typescript-eslint/prefer-for-of': 'off' },
  },
  {
    // Of src/, spec/architecture.spec.ts checks it.
    files: ['packages/*/src/**'],
    rules: { 'max-lines-per-function': ['error', { max: 60 }] },
  },
  {
    files: ['spec/**/*.ts', 'samples/**/*.ts', 'bench/**/*.ts', 'packages/*/spec/**/*.ts'],
    rules: {
      'no-restricted-globals': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', args: 'none' },
      ],
    },
  },
  {
    // New projects begin with these files: `node:test` waits for its tests, and options of Nest are classes without members.
    files: ['packages/cli/templates/**'],
    rules: {
      'no-restricted-globals': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    rules: { eqeqeq: 'error', 'no-unused-vars': 'error', 'prefer-const': 'error' },
  },
);
