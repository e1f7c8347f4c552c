import { className, memberLabel } from '../common/classes.js';
import { describeValue, messageOf } from '../common/text.js';
import { createFinding, type Finding } from '../error/Finding.js';
import { createPlacedError } from '../error/ToolwrightError.js';
import type { ToolMetadata, ToolInvoker } from '../metadata/ToolMetadata.js';
import type { ToolOptions } from '../metadata/args/ToolMetadataArgs.js';

type Handler = (this: object, ...args: unknown[]) => unknown;

/**
 * Reads the method of a tool from the instance that it runs on.
 *
 * @param place `Orders.find`, for the message
 * @throws ToolwrightError E114 if there is none, because a call would succeed without running anything
 */
export function findHandler(instance: object, member: string | symbol, place: string): Handler {
  const value = (instance as Readonly<Record<string | symbol, unknown>>)[member];
  if (typeof value === 'function') return value as Handler;
  const details = { code: 'E114', place } as const;
  throw createPlacedError(describeReplacement(instance, member, value), details);
}

/**
 * Returns the finding (E114) about a tool without a method on the instance of the container. A getter is not run:
 * before there is a request, it may have nothing to read.
 */
export function createHandlerFinding(tool: ToolMetadata, instance: object): Finding | undefined {
  const { member, owner, name: toolName, sectionPath } = tool;
  if (member === undefined) return undefined;
  const problem = findHandlerProblem(instance, member);
  if (problem === undefined) return undefined;
  return createFinding('E114', problem, {
    place: memberLabel(owner, member),
    className: className(owner),
    member: String(member),
    toolName,
    sectionPath,
  });
}

function findHandlerProblem(instance: object, member: string | symbol): string | undefined {
  try {
    if (isGetter(instance, member)) return undefined;
    const value = (instance as Readonly<Record<string | symbol, unknown>>)[member];
    return typeof value === 'function' ? undefined : describeReplacement(instance, member, value);
  } catch (error) {
    return `${String(member)} of its instance cannot be read: ${messageOf(error)}`;
  }
}

function isGetter(instance: object, member: string | symbol): boolean {
  for (let at: object | null = instance; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const found = Object.getOwnPropertyDescriptor(at, member);
    if (found !== undefined) return found.get !== undefined;
  }
  return false;
}

function describeReplacement(instance: object, member: string | symbol, value: unknown): string {
  const name = String(member);
  const what = describeValue(value);
  return Object.hasOwn(instance, member)
    ? `its method is hidden by the field ${name}, which is ${what}, on the instance`
    : `${name} is ${what} on the instance of the container instead of the method`;
}

/** Creates the function that runs the preview of a tool on its section, or null without a preview. */
export function createPreviewInvoker(options: ToolOptions): ToolInvoker | null {
  if (options.preview === undefined) return null;
  return (owner, params, context) => options.preview?.call(owner as ToolOptions, params, context);
}
