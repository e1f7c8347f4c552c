// Rendering a prompt of many sections, as a ratio to template literals that write the same text.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, Param } from 'toolwright';
import { median, measure, report } from './measure.js';

class Names {
  @Param('Who') who = 'Ada';
  @Param('What') what = 'orders';
}

const literal = (count: number, { who, what }: Names): string => {
  const parts: string[] = [];
  for (let index = 0; index < count; index++) {
    parts.push(
      `## ${String(index + 1)}. Section ${String(index)} (s${String(index)})\n\nHelp ${who} with ${what}, chapter ${String(index)}.\nAsk before you change anything.`,
    );
  }
  return parts.join('\n\n');
};

async function ratio(count: number): Promise<number> {
  const sections = Array.from({ length: count }, (_, index) =>
    defineSection({
      key: `s${String(index)}`,
      title: `Section ${String(index)}`,
      params: Names,
      template: `Help \${who} with \${what}, chapter ${String(index)}.\nAsk before you change anything.`,
    }),
  );
  const desk = definePrompt({ ns: 'bench', key: 'r', sections });
  const prompt = (await createApplication({ prompts: [desk] })).prompt(desk).bind(new Names());
  const names = new Names();
  if ((await prompt.render()).text !== literal(count, names)) throw new TypeError('the texts differ');
  const rounds = await measure(
    { literal: async () => literal(count, names), rendered: async () => prompt.render() },
    Math.max(50, Math.floor(200_000 / count / 4)),
  );
  return median(rounds.map((round) => round.rendered / round.literal));
}

async function main(): Promise<void> {
  report('rendering 50 sections / template literals', await ratio(50), 4);
  report('rendering 1,000 sections / template literals', await ratio(1_000), 2.5);
}

void main();
