import { isRecord } from 'toolwright/internal/light';

/**
 * Replaces a `requestState` that is not a text by an empty one, which is refused as forged (E696). Otherwise the SDK would refuse it with an
 * error of its own, before our code gets the request.
 */
export function replaceInvalidState<T>(message: T): T {
  if (!isRecord(message)) return message;
  const params = message['params'];
  if (!isRecord(params) || !Object.hasOwn(params, 'requestState') || typeof params['requestState'] === 'string')
    return message;
  return { ...message, params: { ...params, requestState: '' } };
}
