import { bind, createApplication, definePrompt, defineSection } from 'toolwright';
import { AllOf, AnyOf, type CompletionChecker, FileOutputChecker } from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { ScriptedModel } from 'toolwright/testing';
import { silentLogger } from '../declare/silentLogger';
import type { CheckerSpec, CompletionInput, Outcome } from '../format';

/** Has a model answer once, and returns the checker's verdict, and whether the model would read the reason. */
export async function runCompletion({ files, checker }: CompletionInput): Promise<Outcome> {
  const filesystem = new InMemoryFilesystem({ files: Object.fromEntries((files ?? []).map((path) => [path, ''])) });
  const prompt = definePrompt({
    ns: 'n',
    key: 'k',
    sections: [defineSection({ key: 'a', title: 'A' })],
    completion: [checkerOf(checker)],
  });
  const app = await createApplication({
    prompts: [prompt],
    logger: silentLogger,
    resources: files === null ? [] : [bind(Filesystem, { value: filesystem })],
  });
  const adapter = new ScriptedModel([{ text: 'Done.' }, { text: 'Done again.' }]);
  const { complete } = await app.evaluate(app.prompt(prompt), { adapter, maxRefusedAnswers: 1 });
  return { complete, has_feedback: adapter.requests[1]?.messages.at(-1)?.role === 'user' };
}

function checkerOf({ files, composite, all_must_pass: all = true }: CheckerSpec): CompletionChecker {
  if (composite === undefined) return new FileOutputChecker({ files: files ?? [] });
  const parts = composite.map(checkerOf);
  return all ? new AllOf(...parts) : new AnyOf(...parts);
}
