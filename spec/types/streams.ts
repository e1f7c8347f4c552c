// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { Field, type Application, type BoundPrompt, type ModelAdapter, type StreamEvent } from 'toolwright';

class Review {
  @Field('1 to 5') stars!: number;
}

/** Events are distinguished by their kind, and the response has the requested form. */
export async function streams(app: Application, prompt: BoundPrompt, adapter: ModelAdapter): Promise<number> {
  for await (const event of app.stream(prompt, { adapter, output: Review })) {
    if (event.kind === 'text') process.stdout.write(event.text);
    if (event.kind === 'outcome' && event.message.failed) console.log(event.name, event.outcome);
    // @ts-expect-error: a text is no call
    if (event.kind === 'text') console.log(event.call);
    // @ts-expect-error: there is no such event
    if (event.kind === 'tool_call') return 0;
    if (event.kind === 'done') return event.response.output.stars;
  }
  for await (const event of app.stream(prompt, { adapter }))
    // @ts-expect-error: no form was asked for
    if (event.kind === 'done') console.log(event.response.output.stars);
  const stream = app.stream(prompt, { adapter });
  const { value, done } = await stream.next();
  if (done !== true) console.log(value.kind);
  await stream.return();
  return 0;
}

/** All kinds can be listed exhaustively. */
export function says(event: StreamEvent): string {
  switch (event.kind) {
    case 'text':
    case 'reasoning':
    case 'tool_input':
      return event.text;
    case 'note':
    case 'steering':
      return event.message.content;
    case 'answer':
      return event.text ?? '';
    case 'retry':
      return event.problem;
    case 'begun':
    case 'question':
      return event.name;
    case 'progress':
      return event.value.message ?? event.name;
    case 'outcome':
      return event.opened?.join() ?? event.name;
    case 'done':
      return event.response.text ?? '';
  }
}
