// `npm start`: installs and builds what is missing, then runs the flagship sample.
import { buildAgainstPackages } from './build.mjs';
import { run } from './process.mjs';

await buildAgainstPackages('samples');
const main = ['build/samples/20-retail-desk/main.js', ...process.argv.slice(2)];
process.exitCode = run(process.execPath, main, { env: { RETAIL_BUNDLE: 'build/retail-desk.bundle.jsonl' } });
console.log('\nLook at what just happened, call by call, in your browser: npm run inspect');
