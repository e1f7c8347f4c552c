import { brand, PlacedError } from 'toolwright/internal/light';

/** Thrown if a sandbox cannot run programs: it is not installed, closed, or has an option or limit out of range. */
export class SandboxError extends PlacedError {}
brand(SandboxError, 'SandboxError');
