// For the packages of this repository, which pin the exact version. Any of these names may change in a release.
export { evaluateWithListener, getApplicationParts } from '../application/Application.js';
export { applicationOptionForms } from '../application/requireOptions.js';
export { SecretCollector } from '../application/SecretCollector.js';
export { consoleLogger } from '../application/consoleLogger.js';
export { digestChanges } from '../application/rehearse.js';
export { type CompletedOutcome, type ExternalCall, OwnLoopHandler } from '../application/tools/OwnLoopHandler.js';
export { createArgumentsSchema } from '../application/tools/toStandardTools.js';
export { buildPrompts } from '../builder/buildPrompt.js';
export { copyBoundedJson } from '../bundles/copyBoundedJson.js';
export type { AsyncCloseable } from '../common/types.js';
export { TimeSlice, Turns } from '../common/TimeSlice.js';
export { cutAround, cutExcerpt, findDifference } from '../common/excerpts.js';
export { classChain, className, isClass, isInstance } from '../common/classes.js';
export {
  type DataForm,
  aBoolean,
  aCount,
  aFunction,
  aLimit,
  aNumber,
  aSignal,
  aText,
  anObject,
  anything,
  atLeast,
  fieldsOf,
  formOf,
  listOf,
  oneOf,
  orNull,
} from '../common/dataForm.js';
export { freezePlain } from '../common/objects.js';
export { isHttpFailure } from '../dispatch/redact/ErrorMask.js';
export { isTransient, isKeyViolation } from '../common/sqlState.js';
export { aJsonValue } from '../common/jsonForm.js';
export {
  MAX_EXTENT,
  MAX_FILE_BYTES,
  MAX_ISSUES,
  MAX_PARTS,
  MAX_PATTERN_CHARS,
  MAX_TIMER_MS,
  MAX_VALUES,
} from '../common/limits.js';
export { measureJson } from '../common/measureJson.js';
export { snakeCase, ensureWellFormed } from '../common/text.js';
export { setPropertyType } from '../common/reflect.js';
export { walkValue } from '../common/walkValue.js';
export { waitAtMost } from '../common/promises.js';
export { readEmittedParameters } from '../container/constructorPath.js';
export { Sequencer } from '../dispatch/admit/Sequencer.js';
export type { SecretRedaction } from '../dispatch/redact/SecretRedaction.js';
export type { DispatchContext, DispatchServices } from '../dispatch/DispatchContext.js';
export { HandlerContext, type ContextInternals, type NestedDispatch } from '../dispatch/attempt/HandlerContext.js';
export { ApprovalMissing } from '../dispatch/attempt/ProgramScope.js';
export type { Redaction } from '../dispatch/redact/Redaction.js';
export { mayRunTogether } from '../dispatch/admit/admitCall.js';
export { getThread } from '../dispatch/idempotencyKey.js';
export { runIntercepted } from '../dispatch/attempt/runIntercepted.js';
export { formatCallId } from '../dispatch/finish/logError.js';
export {
  describeFound,
  describeOpened,
  describeReasonForModel,
  describeUnfound,
  describeUnopened,
} from '../dispatch/finish/outcomeTexts.js';
export { relayAbort } from '../dispatch/attempt/LinkedSignal.js';
export { shortenValue } from '../dispatch/finish/shortenText.js';
export { createFinding } from '../error/Finding.js';
export { evalRemedies } from '../error/evalRemedies.js';
export { ProgramError } from '../error/ProgramError.js';
export {
  type OptionForms,
  type OptionNames,
  requireOptionNames,
  requireOptions,
  requireValue,
} from '../error/optionNames.js';
export { isId, requireId, requireTenant } from '../error/requireId.js';
export { createRun } from '../evaluate/createRun.js';
export { checkMessages } from '../evaluate/check/checkMessages.js';
export { RunLog } from '../evaluate/conversation/log/RunLog.js';
export { requirePlainName } from '../evaluate/conversation/session/userMemory.js';
export type { UserSessionLink } from '../evaluate/conversation/session/UserSessionLink.js';
export { SharedSessionLink, requireSession } from '../evaluate/conversation/session/SharedSessionLink.js';
export { foldEntries } from '../evaluate/conversation/log/foldEntries.js';
export { listOpenCalls } from '../evaluate/conversation/log/listOpenCalls.js';
export { openLog } from '../evaluate/conversation/log/readConversation.js';
export { describeOutput } from '../evaluate/answer/describeOutput.js';
export { EntryView } from '../evaluate/stream/EntryView.js';
export type { RunListener } from '../evaluate/stream/RunEmitter.js';
export {
  findAsker,
  findEdit,
  createNoQuestionError,
  listOpenQuestions,
  createReply,
  removeOpenQuestions,
} from '../evaluate/conversation/questions.js';
export { listSteered } from '../evaluate/conversation/SteeringQueue.js';
export { requireEdit, requireReply } from '../evaluate/check/requireReply.js';
export { callOptionForms, onUnknownForm } from '../evaluate/check/runOptionForms.js';
export { allowManyListeners } from '../limit/raceLimits.js';
export type { ClassShape, FieldShape, TypeShape } from '../metadata/ClassShape.js';
export type { SectionMetadata } from '../metadata/PromptMetadata.js';
export { getArgs, findArgs } from '../metadata/args/MetadataArgsStorage.js';
export { isTypeReference } from '../metadata/args/TypeReference.js';
export { guestGlobals, createProgramNames } from '../metadata/programNames.js';
export { BoundPrompt } from '../prompt/BoundPrompt.js';
export { RenderedTool } from '../prompt/RenderedTool.js';
export { CallIds } from '../provider/CallIds.js';
export { LeftOutParts, type MediaPart, type MediaRole } from '../provider/LeftOutParts.js';
export { ProviderLink } from '../provider/ProviderLink.js';
export { WrittenMessages, OPENING_NOTE } from '../provider/WrittenMessages.js';
export { chooseBridgeName, wrapBridgeCall } from '../provider/bridgeTool.js';
export { readCallInput, type ProviderToolCall, readCalls } from '../provider/readCalls.js';
export { type JoinedPieces, joinPieces, readPieces, recordPieces, removeParts } from '../provider/joinPieces.js';
export { type ToolLimits, makeLegalName, refuseDeferred, refuseTools } from '../provider/refuseTools.js';
export { createStreamError } from '../provider/createRequestError.js';
export { readTokenCount } from '../provider/tokenCount.js';
export {
  type ToolPlan,
  createDeferredTest,
  recordDeferred,
  recordMeans,
  planTools,
  readStrict,
} from '../provider/planTools.js';
export { type AnswerErrors, createAnswerErrors } from '../provider/createAnswerErrors.js';
export { omitFields } from '../provider/withoutFields.js';
export { TransactionResources } from '../resource/TransactionResources.js';
export { FilePath } from '../resource/filesystem/FilePath.js';
export { Glob } from '../resource/filesystem/Glob.js';
export { createLineExpression } from '../resource/filesystem/lineSearch.js';
export { readPage } from '../resource/filesystem/pageLines.js';
export { refusals, requireSize } from '../resource/filesystem/refusals.js';
export { replaceText } from '../resource/filesystem/replaceText.js';
export { collectMatches } from '../resource/filesystem/searchFiles.js';
export { isPool } from '../resource/postgres/SqlClient.js';
export { HeldConnection } from '../resource/postgres/HeldConnection.js';
export { mayBeAbsent } from '../schema/rules/defaults.js';
export { canonicalJson } from '../schema/write/plainJson.js';
export { HIDDEN } from '../schema/write/secrets.js';
export { readClass } from '../schema/read/readClass.js';
export { parseExactNumber } from '../schema/parse/coerceValue.js';
export { JsonCounter, findTextExcess } from '../schema/parse/jsonExtent.js';
export { SchemaWriter, writeShapeSchema } from '../schema/emit/writeClassSchema.js';
export { tooWide } from '../schema/limits.js';
export { lowerSchema } from '../schema/lowering/lowerSchema.js';
export { mapChildren } from '../schema/lowering/listChildren.js';
export { measureSchema } from '../schema/lowering/findExceeded.js';
export { getOutput } from '../schema/parse/getOutput.js';
export { readDeclaredPattern } from '../schema/pattern/readDeclaredPattern.js';
export { isPattern } from '../schema/emit/writePublishedPattern.js';
export { type LinearPattern, compileLinearPattern } from '../schema/pattern/compileLinearPattern.js';
export { isPlain } from '../schema/pattern/findNestedRepetition.js';
export { needsType, createSerialiser } from '../schema/write/createSerialiser.js';
export { markComplete, isStandardSchema } from '../schema/standard/standardSchemas.js';
export { findPrototypeKey } from '../schema/standard/findPrototypeKey.js';
export { readForeignSchema } from '../schema/standard/readForeignSchema.js';
export { listInnerSchemas, isSchema, findReferenced } from '../schema/standard/schemaTree.js';
export { NO_MESSAGE } from '../value/ToolResult.js';
export { measureBytes, describePart, summarisePart } from '../value/describePart.js';
export { findPartsProblem } from '../value/findPartsProblem.js';
export { sumUsage } from '../value/Usage.js';
export { getEffect } from '../value/ToolHints.js';
