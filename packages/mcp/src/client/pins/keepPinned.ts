import type { Logger } from 'toolwright';
import type { Awaitable } from 'toolwright/types';
import { quote } from 'toolwright/internal/light';
import type { RemoteDeclaration } from '../readRemote.js';
import { comparePins, type PinDifference } from './comparePins.js';
import type { McpPinChange, McpPinStore } from './McpPins.js';
import { createPin, pinKeyOf, readPins, updatePins, type ServerPins } from './pinBook.js';

/** How a bridge treats differences from pins. */
export interface PinRules {
  readonly server: string;
  readonly store: McpPinStore;
  readonly onChange: 'refuse' | ((change: McpPinChange) => Awaitable<boolean>);
  readonly logger: Logger;
  /** False for kinds of declarations that were not asked for. */
  readonly isListed: (kind: string) => boolean;
}

/**
 * Returns the declarations that are pinned, or whose change is accepted. At the first connection, all are pinned. All others are left
 * out with a warning (E676).
 *
 * @throws McpBridgeError E677; errors of the store and of `onChange`, unchanged
 */
export async function keepPinned(
  declared: readonly RemoteDeclaration[],
  { server, store, onChange, logger, isListed }: PinRules,
): Promise<readonly RemoteDeclaration[]> {
  const pins = (await readPins(store)).get(server);
  if (pins === undefined) {
    await updatePins(store, server, () => pinAll(declared));
    return declared;
  }
  const accepted: PinDifference[] = [];
  const refused = new Set<string>();
  for (const difference of comparePins(server, pins, declared, isListed)) {
    const { key, pin, change } = difference;
    if (pin === undefined || (onChange !== 'refuse' && (await onChange(change)))) accepted.push(difference);
    else refused.add(key);
    if (pin === undefined || refused.has(key)) logger.warn(formatWarning(change), { code: 'E676', ...change });
  }
  if (accepted.length > 0) await updatePins(store, server, (newest) => applyDifferences(newest, accepted));
  return declared.filter((declaration) => !refused.has(pinKeyOf(declaration)));
}

/** Pins all declarations of a server as they are. */
export function pinAll(declared: readonly RemoteDeclaration[]): ServerPins {
  return new Map(declared.map((declaration) => [pinKeyOf(declaration), createPin(declaration)]));
}

function applyDifferences(pins: ServerPins, accepted: readonly PinDifference[]): ServerPins {
  const result = new Map(pins);
  for (const { key, pin } of accepted) {
    const before = pins.get(key);
    if (pin !== undefined) result.set(key, pin);
    // The pin stays, so that the declaration is compared with it when it returns.
    else if (before !== undefined) result.set(key, { ...before, isHidden: true });
  }
  return result;
}

function formatWarning({ server, change, kind, remoteName, difference }: McpPinChange): string {
  const end = change === 'removed' ? 'It is refused when it returns' : 'It is left out';
  return `E676 MCP pins: ${kind} ${quote(remoteName)} of ${server} was ${change} since it was pinned. ${end}, until you accept it: npx toolwright mcp diff ${server} --accept (docs/errors.md#e676)\n${difference}`;
}
