// For the packages of this repository, which pin the exact version: nothing here is promised to others.
export { getApplicationParts } from '../application/Application.js';
export { applicationOptionNames } from '../application/ApplicationOptions.js';
export { CallSecrets } from '../application/CallSecrets.js';
export { consoleLogger } from '../application/consoleLogger.js';
export { digestOf } from '../application/digestCall.js';
export { runOf } from '../application/runOf.js';
export {
  type CompletedCall,
  type ExternalCall,
  ExternalCallHandler,
} from '../application/tools/ExternalCallHandler.js';
export { argumentsSchema } from '../application/tools/argumentsSchema.js';
export { buildPrompts } from '../builder/buildPrompt.js';
export { plainJson } from '../bundles/plainJson.js';
export type { AsyncCloseable } from '../common/AsyncCloseable.js';
export { TimeSlice, Turns } from '../common/TimeSlice.js';
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
export { freezePlain } from '../common/freeze.js';
export { isHttpFailure } from '../common/httpFailure.js';
export { isTransient } from '../common/isTransient.js';
export { aJsonValue } from '../common/jsonForm.js';
export { jsonLength } from '../common/jsonLength.js';
export { snakeCase } from '../common/naming.js';
export { setPropertyType } from '../common/reflect.js';
export { isKeyViolation } from '../common/sqlState.js';
export { wellFormed } from '../common/wellFormed.js';
export { withinPatience } from '../common/withinPatience.js';
export { emittedParameters } from '../container/constructorPath.js';
export { CallOrder } from '../dispatch/admit/CallOrder.js';
export type { CallRedaction } from '../dispatch/redact/CallRedaction.js';
export type { CallRun, DispatchServices } from '../dispatch/CallRun.js';
export { CallToolContext, type ContextInternals, type NestedDispatch } from '../dispatch/attempt/CallToolContext.js';
export { ApprovalMissing } from '../dispatch/attempt/ProgramCaller.js';
export type { Redaction } from '../dispatch/redact/Redaction.js';
export { mayRunTogether } from '../dispatch/admit/admission.js';
export { threadOf } from '../dispatch/idempotencyKey.js';
export { intercepted } from '../dispatch/attempt/intercept.js';
export { idText } from '../dispatch/finish/logError.js';
export { openedText, shownReason, unopenedText } from '../dispatch/finish/messages.js';
export { relayAbort } from '../dispatch/attempt/relayAbort.js';
export { shortenValue } from '../dispatch/finish/shorten.js';
export { finding } from '../error/Finding.js';
export { ProgramError } from '../error/ProgramError.js';
export { McpBridgeError, McpCallError } from '../error/mcpErrors.js';
export {
  type OptionForms,
  type OptionNames,
  requireOptionNames,
  requireOptions,
  requireValue,
} from '../error/optionNames.js';
export { isId, requireId, requireTenant } from '../error/requireId.js';
export { checkMessages } from '../evaluate/checkMessages.js';
export { RunLog } from '../evaluate/conversation/RunLog.js';
export { SharedSessionLink, requireSession } from '../evaluate/conversation/SharedSessionLink.js';
export { foldEntries } from '../evaluate/conversation/foldEntries.js';
export { openCalls } from '../evaluate/conversation/openCalls.js';
export { openLog } from '../evaluate/conversation/readConversation.js';
export { describeOutput } from '../evaluate/describeOutput.js';
export { askerOf, noQuestion, openQuestions, replyTo, withoutOpenQuestions } from '../evaluate/questions.js';
export { requireReply } from '../evaluate/requireReply.js';
export { callOptionForms, onUnknownForm } from '../evaluate/runOptionForms.js';
export type {
  DurableStore,
  NewRun,
  OpenQuestion,
  QuestionFilter,
  RunChanges,
  RunCondition,
  RunFilter,
  RunOutline,
  RunRecord,
  RunRecords,
  RunStatus,
  RunsOverview,
  TenantFilter,
  WithinChange,
} from '../interface/RunRecords.js';
export { LONGEST_TIMER_MS, shared } from '../limit/raceLimits.js';
export type { ClassShape, FieldShape, TypeShape } from '../metadata/ClassShape.js';
export type { SectionMetadata } from '../metadata/PromptMetadata.js';
export { argsOf, knownArgs } from '../metadata/args/MetadataArgsStorage.js';
export { isTypeReference } from '../metadata/args/isTypeReference.js';
export { guestGlobals } from '../metadata/guestGlobals.js';
export { identifiersOf, programNamesOf, remoteNamesOf } from '../metadata/programNames.js';
export { BoundPrompt } from '../prompt/BoundPrompt.js';
export { RenderedTool } from '../prompt/RenderedTool.js';
export { CallIds } from '../provider/CallIds.js';
export { LeftOutParts, type MediaPart, type MediaRole } from '../provider/LeftOutParts.js';
export { ProviderLink } from '../provider/ProviderLink.js';
export { WrittenMessages } from '../provider/WrittenMessages.js';
export { bridgeName, wireCall } from '../provider/bridgeTool.js';
export { type Fields, isFields } from '../provider/fields.js';
export { inputOf } from '../provider/inputOf.js';
export { OPENING_NOTE } from '../provider/openingNote.js';
export { type JoinedPieces, joinPieces, piecesOf, recordPieces, withoutParts } from '../provider/pausedPieces.js';
export { type SentCall, readCalls } from '../provider/readCalls.js';
export { type ToolLimits, legalName, refuseDeferred, refuseTools } from '../provider/refuseTools.js';
export { type RefusedContent, refusedContent } from '../provider/refusedContent.js';
export { streamFailure } from '../provider/requestFailure.js';
export { tokenCount } from '../provider/tokenCount.js';
export { type ToolPlan, deferredIn, deferredMeans, planMeans, planTools, strictIn } from '../provider/toolPlan.js';
export { type Unusable, unusable } from '../provider/unusable.js';
export { withoutFields } from '../provider/withoutFields.js';
export { CallResources } from '../resource/CallResources.js';
export { FilePath } from '../resource/filesystem/FilePath.js';
export { Glob } from '../resource/filesystem/Glob.js';
export { MAX_FILE_BYTES, requireSize } from '../resource/filesystem/fileSize.js';
export { lineExpression } from '../resource/filesystem/lineSearch.js';
export { pageOf } from '../resource/filesystem/lines.js';
export { refusals } from '../resource/filesystem/refusals.js';
export { replaceText } from '../resource/filesystem/replaceText.js';
export { collectMatches } from '../resource/filesystem/search.js';
export { isPool } from '../resource/postgres/SqlClient.js';
export { inTransaction } from '../resource/postgres/inTransaction.js';
export { mayBeAbsent } from '../schema/rules/absence.js';
export { canonicalJson } from '../schema/write/canonicalJson.js';
export { readClass } from '../schema/read/classReading.js';
export { exactNumber } from '../schema/parse/exactNumber.js';
export { JsonCounter, type JsonExtent, excessOfText, excessOfValue } from '../schema/parse/jsonExtent.js';
export { SchemaWriter, schemaOf } from '../schema/emit/jsonSchema.js';
export { MAX_EXTENT, MAX_ISSUES, MAX_VALUES, tooWide } from '../schema/limits.js';
export { lower } from '../schema/lowering/lowering.js';
export { mapChildren } from '../schema/lowering/children.js';
export { measure } from '../schema/lowering/limits.js';
export { outputOf } from '../schema/parse/outputOf.js';
export { declaredPattern } from '../schema/pattern/declaredPattern.js';
export { isPattern } from '../schema/pattern/isPattern.js';
export { type LinearPattern, MAX_PATTERN_CHARS, linearPattern } from '../schema/pattern/linearPattern.js';
export { isPlain } from '../schema/pattern/shortcuts.js';
export { needsType, serialiserOf } from '../schema/write/serialise.js';
export { markComplete } from '../schema/standard/completeSchemas.js';
export { isStandardSchema } from '../schema/standard/isStandardSchema.js';
export { prototypeKeyIn } from '../schema/standard/prototypeKeyIn.js';
export { readForeignSchema } from '../schema/standard/readForeignSchema.js';
export { innerSchemas, isSchema, pointedAt } from '../schema/standard/schemaTree.js';
export { NO_MESSAGE } from '../value/ToolResult.js';
export { bytesIn, describePart, summaryOf } from '../value/describePart.js';
export { MOST_PARTS, partsProblem } from '../value/partsProblem.js';
export { sumOfUsage } from '../value/sumOfUsage.js';
