// Installs the packages of `recipes/` in a separate folder, because some need Node 24 and nothing else depends on them.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from '../scripts/process.mjs';

const folder = join(root, 'build/recipes');

/** Installs the packages unless they are installed. Returns the problem if npm fails. */
export function installRecipes() {
  const [wanted, installed] = [join(root, 'recipes/package.json'), join(folder, 'package.json')];
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, 'toolwright')) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8'))
    return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(wanted, installed);
  // Nest and `pg` are resolved from this project, one folder up, because two copies of Nest do not know each other's classes.
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--legacy-peer-deps'];
  const { ok, output } = capture('npm', ['install', ...options, '--prefix', folder]);
  if (!ok) return `npm install of recipes/package.json failed:\n${output}`;
  symlinkSync(root, join(modules, 'toolwright'), 'junction');
  return undefined;
}
