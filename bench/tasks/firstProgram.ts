// Runs the first program of a process, without checking its types if the argument is `syntax`, and writes the CPU time from the toolkit to the program's end, and the growth of memory.
import 'reflect-metadata';
import { argv, cpuUsage, exit, memoryUsage } from 'node:process';
import { defineTool } from 'toolwright';
import { Toolkit } from '@toolwright/programs';

async function main(): Promise<void> {
  const tool = defineTool({
    name: 'tool',
    description: 'Does it.',
    returnSchema: { type: 'number' },
    handler: () => 1,
  });
  const before = memoryUsage.rss();
  const start = cpuUsage();
  const kit = await Toolkit.from([tool], { check: argv[2] === 'syntax' ? 'syntax' : 'types' });
  const { returnValue } = await kit.execute('const one: number = await tool(); return one;');
  const { user, system } = cpuUsage(start);
  const megabytes = (memoryUsage.rss() - before) / 1e6;
  console.log(JSON.stringify({ returnValue, milliseconds: (user + system) / 1e3, megabytes }));
  exit();
}

void main();
