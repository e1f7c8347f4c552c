// Simulates 1,000 workers and 100,000 parked runs with PostgreSQL and pg-boss: the statements and locks a second, and the first
// bottleneck. The statements of each step are from PostgresRuns and pg-boss 12; their costs are assumptions.
import { statements } from './Database.js';
import { Fleet, type FleetFigures, type FleetOptions } from './Fleet.js';

const SECONDS = 20;
const usual: FleetOptions = {
  slots: 1_000,
  slotsOfProcess: 16,
  parked: 100_000,
  waitSeconds: 3_600,
  notifies: true,
  pollSeconds: 2,
  lookSeconds: 0.5,
  cores: 16,
};

const scenarios: readonly (readonly [string, Partial<FleetOptions>])[] = [
  ['as it is: NOTIFY wakes every idle slot', {}],
  ['polls alone, every 2 s', { notifies: false }],
  ['polls alone, looks every 5 s', { notifies: false, lookSeconds: 5 }],
  ['the same, replies after 15 minutes', { notifies: false, lookSeconds: 5, waitSeconds: 900 }],
  ['4,000 slots, replies after 4 minutes', { notifies: false, lookSeconds: 5, waitSeconds: 240, slots: 4_000 }],
  ['20,000 slots, replies after 1 minute', { notifies: false, lookSeconds: 5, waitSeconds: 60, slots: 20_000 }],
];

const sum = ({ perSecond }: FleetFigures, pattern: RegExp): number =>
  [...perSecond].reduce((total, [name, count]) => total + (pattern.test(name) ? count : 0), 0);

const locksOf = ({ perSecond }: FleetFigures): number =>
  [...perSecond].reduce((total, [name, count]) => total + count * statements[name].locks, 0);

console.log(
  '| scenario | active | appends/s | fetches/s | reads/s | row locks/s | statements/s | load of 16 cores | delay |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const [name, changes] of scenarios) {
  const figures = new Fleet({ ...usual, ...changes }).run(SECONDS);
  const cells = [
    figures.active,
    sum(figures, /^append/),
    sum(figures, /^fetch/),
    sum(figures, /^(read|entries)/),
    locksOf(figures),
    sum(figures, /./),
  ].map((value) => Math.round(value).toLocaleString('en'));
  const [load, delay] = [`${(figures.load * 100).toFixed(0)} %`, `${figures.delay.toFixed(2)} s`];
  console.log(`| ${[name, ...cells, load, delay].join(' | ')} |`);
}
