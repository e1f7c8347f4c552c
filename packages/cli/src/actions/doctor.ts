import { getApplicationParts } from 'toolwright/internal';
import { version } from 'node:process';
import { messageOf } from 'toolwright/internal/light';
import type { AppOptions, CommandContext } from '../Context.js';
import { createGoodDiagnosis, type Diagnosis } from '../doctor/installedPackages.js';
import { readFindings } from '../errors.js';
import { nameOf, withApplication } from '../load/withApplication.js';
import { readOwnManifest } from '../packageFiles.js';
import { bold, green, line, red, yellow } from '../terminal/TerminalText.js';

const SIGNS = { ok: '✔', warning: '⚠', error: '✘' } as const;

export async function doctor(context: CommandContext, options: AppOptions): Promise<void> {
  const { terminal, folder, fail } = context;
  const { checkPackages } = await import('../doctor/checkPackages.js');
  const { checkCompiler } = await import('../doctor/checkCompiler.js');
  const found = [
    ...checkPackages(folder, readOwnManifest(), version),
    ...checkCompiler(folder),
    await checkApplication(context, options),
  ];
  if (found.some(({ status }) => status === 'error')) fail();
  if (options.json === true) {
    terminal.json({ checks: found });
    return;
  }
  const paint = { ok: green, warning: yellow, error: red };
  const width = Math.max(...found.map(({ name }) => name.length));
  for (const { name, status, message, remedy } of found) {
    terminal.data(line`${paint[status](SIGNS[status])} ${bold(name.padEnd(width))}  ${message}`);
    if (remedy !== undefined) terminal.data(line`${' '.repeat(width + 4)}${green('fix:')} ${remedy}`);
  }
}

async function checkApplication(context: CommandContext, options: AppOptions): Promise<Diagnosis> {
  const name = 'application';
  try {
    return await withApplication(context, options, ({ app, place }) =>
      Promise.resolve(
        createGoodDiagnosis(name, `${place}: ${[...getApplicationParts(app).prompts.values()].map(nameOf).join(', ')}`),
      ),
    );
  } catch (error) {
    const findings = readFindings(error);
    if (findings !== undefined)
      return {
        name,
        status: 'error',
        message: `it has findings (${String(findings.length)})`,
        remedy: 'toolwright check',
      };
    const { code, remedy } = error as { readonly code?: string; readonly remedy?: string };
    // The command line is wrong, not the project.
    if (code === 'E965') throw error;
    // Many projects have no configuration yet.
    const status = code === 'E961' ? 'warning' : 'error';
    return { name, status, message: messageOf(error).split('\n')[0] ?? '', remedy };
  }
}
