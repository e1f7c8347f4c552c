// Internal names without further imports, so that worker threads and the command load them in a few milliseconds.
export { brand } from '../../common/brand.js';
export { childProcess, crypto, host, randomId, sha256 } from '../../common/builtins.js';
export { escapeBlock, escapeHtml, escapeJson, escapeLine } from '../../common/escapeControls.js';
export { guardOutput } from '../../common/guardOutput.js';
export { type Fields, isObject, isPlainObject, isRecord, isText } from '../../common/guards.js';
export { memoize } from '../../common/memoize.js';
export { copyOwnOptions } from '../../common/objects.js';
export { cut, describeValue, didYouMean, keyText, joinBounded, messageOf, quote } from '../../common/text.js';
export { trimCommonEnds } from '../../common/trimCommonEnds.js';
export { ProgramError } from '../../error/ProgramError.js';
export { findMissingPackage, loadPeer } from '../../error/loadPeer.js';
export { type ErrorDetails, PlacedError, ToolwrightError, formatMessage } from '../../error/ToolwrightError.js';
export { cliRemedies } from '../../error/cliRemedies.js';
