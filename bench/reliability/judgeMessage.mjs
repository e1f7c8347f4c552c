/** Says which request of the model had the message first. The first run calls a tool, so its second request follows a result. */
export function judgeMessage(world, kept, errors) {
  const requests = world.requests.map(({ messages }) => messages);
  const heard = requests.find((messages) => JSON.stringify(messages).includes('Only one, please.'));
  const isFirstRun = heard?.filter(({ role }) => role === 'user').length === 2 && heard.at(-2)?.role === 'tool';
  const heardIn =
    heard === undefined ? 'by no request' : isFirstRun ? 'with the next request of the run' : 'in another run';
  return { heardIn, kept, failed: errors.some((error) => error !== undefined) };
}
