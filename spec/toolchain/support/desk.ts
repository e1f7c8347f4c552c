import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sources } from './Workspace.js';

const source = (name: string): string => readFileSync(join(__dirname, '../application', `${name}.ts`), 'utf8');

/** The fixture application as a project that exports its report as `said`: with the compiler's types, or with every type named. */
export function deskProject(desk: 'Desk' | 'ExplicitDesk' = 'Desk'): Sources {
  return {
    'src/main.ts': `
      import { container, Desk } from './Desk.js';
      import { report } from './report.js';
      export const said = report(Desk, container);
    `,
    'src/Desk.ts': source(desk),
    'src/report.ts': source('report'),
    'src/shared.ts': source('shared'),
  };
}
