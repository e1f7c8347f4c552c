// `npm start`: installs and builds what is missing, then runs the flagship sample.
import { buildAgainstPackage } from './build.mjs';
import { run } from './process.mjs';

await buildAgainstPackage('samples');
process.exitCode = run(process.execPath, ['build/samples/20-retail-desk/main.js', ...process.argv.slice(2)]);
