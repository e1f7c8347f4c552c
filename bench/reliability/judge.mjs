import { badSchema } from './faults.mjs';
import { errorOf } from './World.mjs';

/** Says which request of the model had the message first. The first run calls a tool, so its second request follows a result. */
export function judgeMessage(world, kept, errors) {
  const requests = world.requests.map(({ messages }) => messages);
  const heard = requests.find((messages) => JSON.stringify(messages).includes('Only one, please.'));
  const isFirstRun = heard?.filter(({ role }) => role === 'user').length === 2 && heard.at(-2)?.role === 'tool';
  const heardIn =
    heard === undefined ? 'by no request' : isFirstRun ? 'with the next request of the run' : 'in another run';
  return { heardIn, kept, failed: errors.some((error) => error !== undefined) };
}

/** Says how a call with hostile arguments ended. Without another request, the model never reads that they were wrong. */
export function judgeHostile(world, ran, error) {
  return ran ? 'ran' : error === undefined && world.requests.length > 1 ? 'refused' : 'ended the run';
}

/**
 * Says who notices that one of two tools has a bad schema.
 *
 * @param create creates an agent from the handler of the good tool and the bad schema
 * @param start makes the first request
 */
export async function judgeBadSchema(create, start) {
  let ran = false;
  const open = async () => create(async () => ((ran = true), 'ok'), badSchema);
  if ((await errorOf(open())) !== undefined) return { noticed: 'when it is declared', ran };
  const error = await errorOf(start(await open()));
  const noticed =
    error === undefined ? 'never' : error.message.includes('HTTP 400') ? 'by the provider' : 'before the request';
  return { noticed, ran };
}
