// Runs one phase of one fault in a process of its own, and prints the observation: `node child.mjs SYSTEM FAULT PHASE FOLDER`.
import { faults } from './faults.mjs';
import { World } from './World.mjs';

const [system, fault, phase, folder] = process.argv.slice(2);
const { [fault]: run } = await import(`./${system}.mjs`);
const observation = await run(new World(folder, faults[fault].script), phase);
process.stdout.write(`\nOBSERVED ${JSON.stringify(observation ?? null)}\n`, () => process.exit(0));
