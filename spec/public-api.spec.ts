import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import packages from '../scripts/packages.cjs';

// The names that users may import from each entry. Removing one breaks their code.
const publicNames: Readonly<Record<string, string>> = {
  toolwright: `
    Application ApplicationOptions ApprovalPendingError BeginOptions BoundPrompt Budget BudgetExceededError BudgetLimits BudgetTracker
    CallOptions Clock Constructor ContainerError ContentPart Ctx Deadline DeadlineExceededError Disclosure ErrorCode EvaluateOptions Field
    Finding HookInput JsonSchema JsonValue Limits Logger Message ModelAdapter ModelRequest ModelResponse NestedResponse OutcomeKind
    OutputParseError Param ParamIssue ParamOptions PendingCall Prompt PromptError PromptEvaluationError PromptOptions PromptRenderError
    PromptResponse PromptStream PromptValidationError ReadOnlyViolationError Reducer Ref RenderOptions RenderedPrompt RenderedSection
    RenderedTool RunEvent RunHandle RunMetadata SearchOptions Section SectionOptions SectionVisibility Session SessionError SessionJson SessionOptions
    SessionSnapshot SliceOp SliceOps Snapshotable StateChange StreamEvent ThrottleError Tool ToolCall ToolContext ToolDefinition ToolExample
    ToolHandler ToolHints ToolOptions ToolOutcome ToolRefusal ToolResult ToolValidationError ToolwrightError TransactionClosedError
    Transactional Usage VisibilityExpansionRequired bind callTransaction createApplication definePrompt defineSection defineTool md
    readTranscript sectionWith systemClock writeTranscript
  `,
  'toolwright/sections': `
    AddStepParams DirectoryEntry DirectoryListing EditFileParams FileEdited FilePage FileWritten FilesFound GlobParams GrepParams LineFound
    LinesFound ListParams Plan PlanCompleteChecker PlanStatus PlanStep PlanningParams PlanningSection PlanningStrategy ReadFileParams
    ReadResultParams RemoveParams Removed ResultPage ResultsSection SetupPlanParams StepStatus UpdateStepParams WorkspaceSection
    WriteFileParams
  `,
  'toolwright/adapters': `
    CircuitOptions CircularDependencyError ContainedHandler ContainerAdapter ExtensionTool FailedRequest FallbackOptions FinishReason
    LoweredToolSchema ModelPart ModelRoute ModelSettings NamedTool NativeContent OutputSchema PlainContainer PromptAddition PromptExtension
    ProviderFailure SchemaLoss SchemaOptions SchemaTarget SentRequest ThrottleDetails ThrottleKind TokenEstimator ToolChanges ToolChoice
    ToolObjection ToolSchema TypediContainers TypediOptions approximateTokens fallback fromTypedi
  `,
  'toolwright/bundles': `
    Bundle BundleEntry BundleHead BundleRecording BundleReplay BundleSection BundleTool ReadBundleOptions RecordBundleOptions
    ReplayTestOptions readBundle readBundleFile recordBundle replayOf replayTest stateAt
  `,
  'toolwright/conversations': `
    AddFoundTools AppendTransaction ClearAllVisibilityOverrides ClearFoundTools ClearVisibilityOverride Conversation ConversationHead
    FoundTools HistoryEntry MemoryStore SliceScope ConversationJson forgetUser readUser
    ConversationJsonBounds ConversationOptions Draft ForkOptions HistoryOptions LogPosition OpenLog QuestionReply RecordedTool
    ReducerContext ReducerFunction RegistrableSlice RunDelta RunEntry RunStore SentDigest SessionDelta SessionFromJsonOptions SessionPort
    SessionToJsonOptions SetVisibilityOverride SharedChange ShownEntry SliceDeclaration SlicePolicy SlicePort SliceView StateTable
    SteeringMessage UnknownCallPolicy VisibilityOverrides WaitingMessage appendAll replaceLatest replaceLatestBy upsertBy
  `,
  'toolwright/es': `
    Field Param Prompt Reducer Section Tool
  `,
  'toolwright/events': `
    ArgumentRepair ContentPartSummary DispatchResult EventBus EventHead Expansion FeedbackGiven FeedbackGivenFields InProcessEventBus
    ModelSwitched ModelSwitchedFields PrefixMeasured PrefixMeasuredFields PromptDrifted PromptDriftedFields PromptExecuted PromptExecutedFields PromptRendered
    PromptRenderedFields PromptStopped PromptStoppedFields RejectedToolParams RepairKind SectionCost SectionsRequested
    SectionsRequestedFields Subscriber ToolInvoked ToolInvokedFields ToolProgress ToolProgressed ToolProgressedFields ToolsRendered
    ToolsRenderedFields
  `,
  'toolwright/policies': `
    AllOf AnyOf ApprovalAnswer ApprovalDecision ApprovalRule Approver CallContext CallInfo CompletionChecker CompletionVerdict
    DeadlineFeedback DeadlineFeedbackOptions DeadlineView FeedbackProvider FeedbackTrigger FileOutputChecker FileOutputOptions FinalAnswer
    GuardrailOptions InterceptedInvocation InterceptedProgram InterceptedRequest InterceptedRun InterceptedToolCall Interceptor Next
    ParsedCall PolicyDecision PolicyRecord PrefixMeasure ProgramOutcome RateLimitOptions RateLimitPolicy ReadBeforeWriteOptions
    ReadBeforeWritePolicy RunScope ScopePolicy SequentialDependencyPolicy StaticFeedback ToolPolicy allow deny
  `,
  'toolwright/resources': `
    BindOptions BoundPrototype BoundProvider BoundValue CallTransactionBinding CallTransactionOptions DeleteOptions DuplicateBindingError
    EditOptions EditResult FileEntry FileStat Filesystem FilesystemError FilesystemErrorKind FilesystemSnapshot GlobOptions GrepMatch
    GrepOptions InMemoryFilesystem InMemoryFilesystemOptions MkdirOptions OutcomeRecord PostgresTransactions PostgresTransactionsOptions
    PreparedStatement ProviderError ReadOptions ReadResult ResourceBinding ResourceBusyError ResourceCloseError ResourceError
    ResourceLifetime ResourceScope SortedKey Sql SqlClient SqlConnection SqlPool TransactionalTable TransactionalTableOptions
    UnboundResourceError WriteMode WriteOptions WriteResult copied
  `,
  'toolwright/schema': `
    ClassSchema InvalidOutput JsonSchemaConverter JsonSchemaRequest ParseError ParseOptions SchemaOfOptions StandardIssue
    StandardPathElement StandardProps StandardResult StandardSchema dump parse parseOutput schemaOf toStandardSchema
  `,
  'toolwright/overrides': `
    ExampleOverride FileOverridesStore InMemoryOverridesStore OverridesErrorDetails OverridesStore PromptAddress PromptDescriptor
    PromptOverrides PromptOverridesError PromptTexts SectionDescriptor SectionOverride TagOptions ToolDescriptor ToolOverride
  `,
  'toolwright/own-loop': `
    ChangedPart OwnLoopOptions Rehearsal RehearsalOptions RunRehearsal RunRehearsalOptions StandardTool ToolFinding
    rehearse rehearseRun rehearses toStandardTools toolFindings
  `,
  'toolwright/types': `
    AbstractConstructor Awaitable BudgetDimension SideEffect ClassOrThunk ConsumedTokens ContentSource EnumReference ErrorDetails
    EvaluationPhase ExpansionRequest FailureKind HeadingStyle IdSource Instance LimitState MarkdownTemplate ModelPrice Outcomes
    OutputContainer OutputOf OutputReference ParamDescription ParameterParamDecorator ParamsData PromptDecorator PromptView
    PropertyParamDecorator RedactHook RenderErrorDetails RenderedView RepairMode ResultMismatch ResultOptions SectionDecorator SectionView
    StringFormat TemplateSource ToolCaller ToolDecorator ToolMetadata ToolParams ToolRenderableResult ToolResultFields ToolRetry ToolReturn
    ToolView TypeReference ValueOf
  `,
  'toolwright/testing': `
    Divergence FailAfterOptions FailAtWriteOptions FailingInterceptor FakeClock InjectedFailure PrefixReport ReplayDivergenceError
    ReplayModel ReplayOptions ScriptStep ScriptedCall ScriptedModel ScriptedModelOptions ScriptedTurn expectStablePrefix failAfter
    failAtWrite
  `,
  'toolwright/eslint': `
    default meta rules
  `,
  'toolwright/internal': `
    HeldConnection getApplicationParts evaluateWithListener getEffect HIDDEN cutAround cutExcerpt findDifference
    ApprovalMissing AsyncCloseable BoundPrompt CallIds
    Sequencer SecretRedaction TransactionResources DispatchContext SecretCollector HandlerContext ClassShape
    CompletedOutcome ContextInternals DataForm DispatchServices EntryView ExternalCall OwnLoopHandler FieldShape
    FilePath Glob JoinedPieces JsonCounter MAX_TIMER_MS LeftOutParts LinearPattern MAX_EXTENT MAX_FILE_BYTES MAX_ISSUES
    MAX_PATTERN_CHARS MAX_VALUES MAX_PARTS MediaPart MediaRole NO_MESSAGE NestedDispatch OPENING_NOTE
    OptionForms OptionNames ProgramError ProviderLink Redaction RenderedTool
    RunListener RunLog SchemaWriter SectionMetadata ProviderToolCall
    SharedSessionLink UserSessionLink TimeSlice ToolLimits ToolPlan Turns TypeShape AnswerErrors WrittenMessages aBoolean aCount
    aFunction aJsonValue aLimit aNumber aSignal aText anObject anything applicationOptionForms getArgs createArgumentsSchema findAsker findEdit atLeast
    chooseBridgeName buildPrompts measureBytes callOptionForms canonicalJson checkMessages classChain className collectMatches consoleLogger createRun
    readDeclaredPattern createDeferredTest recordDeferred describeOutput describePart digestChanges readEmittedParameters parseExactNumber findTextExcess
    fieldsOf createFinding foldEntries formOf freezePlain guestGlobals formatCallId listInnerSchemas readCallInput runIntercepted
    isClass isHttpFailure isId isInstance isKeyViolation isPattern isPlain isPool isSchema isStandardSchema isTransient
    isTypeReference joinPieces measureJson findArgs makeLegalName createLineExpression compileLinearPattern listOf lowerSchema mapChildren markComplete
    mayBeAbsent mayRunTogether measureSchema needsType createNoQuestionError evalRemedies onUnknownForm oneOf listOpenCalls openLog listOpenQuestions describeFound describeOpened describeUnfound orNull getOutput
    readPage findPartsProblem readPieces copyBoundedJson recordMeans planTools findReferenced createProgramNames findPrototypeKey readCalls readClass
    readForeignSchema recordPieces refusals refuseDeferred refuseTools relayAbort replaceText createReply
    listSteered requireId requireOptionNames requireOptions requireEdit requireReply requirePlainName requireSession requireSize requireTenant requireValue writeShapeSchema createSerialiser
    setPropertyType allowManyListeners shortenValue describeReasonForModel snakeCase createStreamError readStrict sumUsage summarisePart getThread readTokenCount tooWide
    describeUnopened createAnswerErrors ensureWellFormed wrapBridgeCall walkValue waitAtMost omitFields removeOpenQuestions removeParts
  `,
  'toolwright/internal/light': `
    cliRemedies PlacedError ErrorDetails Fields ProgramError ToolwrightError brand childProcess crypto cut describeValue didYouMean escapeBlock escapeHtml
    escapeJson escapeLine findMissingPackage guardOutput host isObject isPlainObject isRecord isText keyText loadPeer memoize joinBounded messageOf copyOwnOptions quote
    randomId formatMessage sha256 trimCommonEnds
  `,
  '@toolwright/ai-sdk': `
    AiFileData AiFilePart AiFunctionTool AiJson AiLanguageModel AiMessage AiModelRequest AiModelParameters AiOutputPart AiProviderOptions
    AiProviderTool AiSdkAdapter AiSdkOptions AiSupportedUrls AiTextPart AiTool AiToolCallPart AiToolExecution AiToolOutput AiToolResultPart
    AiToolsOptions toAiTools
  `,
  '@toolwright/anthropic': `
    AnthropicAdapter AnthropicClient AnthropicOptions AnthropicRunnableTool AnthropicTools AnthropicToolsOptions
    CacheLifetime MessageParameters toAnthropicTools
  `,
  '@toolwright/durable': `
    CarryJob ChatChanges ChatCondition ChatPage ChatRecord ChatRecords
    DurableRun DurableStore EngineHealth EngineJob LimitRequestsOptions MemoryRuns NewChat NewRun OpenQuestion PreparedRun PreviewOptions PruneOptions
    QuestionFilter QuestionPreview RetryRunOptions RecordChanges RecordCondition RunEngine RunFilter RecordOutline RunRecord RunRecords RunStatus
    Runs DurableHealth RunsOptions RunsOverview SharedLimiter StartOptions SteerOptions TenantFilter VersionPolicy WithinChange limitRequests
    openRuns
  `,
  '@toolwright/durable/sqlite': `
    CipherOptions SqliteRuns SqliteRunsOptions
  `,
  '@toolwright/durable/postgres': `
    PostgresRuns PostgresRunsOptions
  `,
  '@toolwright/durable/pg-boss': `
    PgBossClient PgBossEngineOptions pgBossEngine pgBossSettings
  `,
  '@toolwright/inspector': `
    ApprovalInbox InboxReader ForkAdapter Inspected InspectorError InspectorHandler InspectorOptions MountOptions
    ServeOptions ServedInspector InboxItem inspectorHandler serveInspector
  `,
  '@toolwright/programs': `
    AnyFunction BegunCall BridgeAnswer BridgeCall CheckLevel ErrorHint ExceededLimit ExecuteOptions ExecutionResult ExecutionStatus
    ExtractedCode FunctionParams FunctionToolOptions GuestError GuestValue HoldClock KitTool NotSerializable ProgramCall
    ProgramError ProgramErrorKind ProgramEvent ProgramFault ProgramOptions ProgramQuotas ProgramsOptions QuickJsSandbox
    QuickJsSandboxOptions RetryOptions Sandbox SandboxBridge SandboxEnd SandboxError SandboxLimits SandboxProgram ToolErrorKind ToolFormat
    Toolkit ToolkitEntry ToolkitFilter ToolkitOptions extractCode programs toolFrom
  `,
  '@toolwright/mcp': `
      ClientCapability McpAnswerSchema McpAuthorizationOptions McpBridgeError McpBridgeOptions McpCallError McpCapabilities
      McpChangeStream McpClient McpConnection McpConnectionSource McpContent McpData McpFollower McpHttpOptions McpListenOptions
      McpNotifyingConnection McpNotifyingSource McpPeer McpPinChange McpPinDiffOptions McpPinStore McpPrompt McpPromptArgument
      McpQuestionOptions McpRequestInfo McpRequestOptions McpResource McpResourceInfo McpResourceTemplate McpSectionOptions
      McpServerError McpServerOptions McpService McpSkill McpStateStore McpTaskOptions McpTaskRule McpTaskSupport McpToolkitOptions
      RemotePrompt RemotePromptOptions RemoteTool RemoteToolOptions diffMcpPins followMcp getMcpPrompt mcpSection pinFile serveMcp
      toolkitFromMcp
  `,
  '@toolwright/openai': `
    ChatParameters OpenAIAgentParameters OpenAIAgentTool OpenAIAgentToolsOptions OpenAIChatAdapter OpenAIChatClient
    OpenAIChatOptions OpenAIResponsesAdapter OpenAIResponsesClient OpenAIResponsesOptions OpenAITools OpenAIToolsOptions ResponseParameters
    toOpenAiAgentTools toOpenAiTools
  `,
  '@toolwright/openai/tokens': `
    GptEncoding gptTokens
  `,
  '@toolwright/contracts': `
    AdapterCheck AdapterKit EngineCheck EngineCheckError EngineKit EngineVerdict OpenAdapterKit ProviderToolUse ProviderTurn ProviderUsage
    ReceivedByProvider StoreCheck StoreKit engineChecks engineConformance modelAdapterContract runEngineContract runStoreContract
  `,
  '@toolwright/ui': `
    ApprovalDescription ChatHandler ChatHandlerOptions ChatLimits ChatMessage ChatOptions ChatSource ChatSubmission ChatUser NodeRequest NodeResponse
    ShownSlices agUiHandler chatHandler getNodeRequest toNodeHandler
  `,
  '@toolwright/ui/messages': `
    UiData UiMessageOf
  `,
  '@toolwright/evals': `
    AnswerOutputOptions AnswerTextOptions ArgumentsComparator ArgumentsMode EndStateOptions Estimate Eval EvalBudget EvalCall
    EvalComparison EvalError EvalErrorDetails EvalExpectation EvalGate EvalOptions EvalProgress EvalReport EvalRun EvalTask
    ExpectedCall GateReport JudgeOptions PassReport ProgressStream PromptRunOptions ResultCall RunContext RunEvalOptions Score
    ScoreResult ScoredRun Scorer ScorerComparison ScorerReport StateMatch TaskReport TaskResult TaskScores TaskSource TestHost
    TotalReport TrajectoryMode TrajectoryOptions answerOutput answerText compareReports createProgressBar defineEval endState
    evalTests hashState judge promptRun readReport runEval trajectory withinBudget writeComparison writeHtml writeJUnit writeJson
    writeSummary
  `,
  '@toolwright/evals/promptfoo': `
    PromptfooContext PromptfooProvider PromptfooProviderOptions PromptfooResponse PromptfooTokens promptfooProvider
  `,
  '@toolwright/evals/vitest-evals': `
    EvalHarnessOptions evalHarness
  `,
  '@toolwright/files': `
    HostFilesystem HostFilesystemOptions
  `,
  '@toolwright/files/skills': `
    Skill SkillError SkillSectionOptions readSkill skillSection writeSkills
  `,
  '@toolwright/json-schema': `
    TypedJsonSchema jsonSchema
  `,
  '@toolwright/nestjs': `
    ChatController ChatRun InjectToolwright MountController NestContainer NestContainerOptions NestToolCall Toolwright
    ToolwrightFeatureOptions ToolwrightModule ToolwrightModuleExtras ToolwrightModuleOptions fromNest toolCallOf toolwrightToken
  `,
  '@toolwright/opentelemetry': `
    OpenTelemetryOptions openTelemetry runTraces
  `,
  '@toolwright/ui/approval': `
    ApprovalElement ApproveDetail DenyDetail OutcomeDetail registerApproval
  `,
};

/** The maximum number of names of the root. What only some users need belongs to a sub-path. */
const ROOT_BUDGET = 120;

const namesIn = (list: string): readonly string[] => list.trim().split(/\s+/);

const sources = new Map(
  packages.flatMap(({ folder, manifest, entries }) =>
    Object.entries(entries).map(([path, source]) => [manifest.name + path.slice(1), join(folder, source)] as const),
  ),
);

/** The names that an entry exports, types included. */
function exportedNames(source: string): readonly string[] {
  const file = join(__dirname, '..', source);
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022);
  return statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) throw new Error(`${file} holds more than exports`);
    const clause = statement.exportClause;
    if (clause === undefined || !ts.isNamedExports(clause)) throw new Error(`${file} exports everything of a file`);
    return clause.elements.map(({ propertyName, name }) => {
      if (propertyName !== undefined) throw new Error(`${file} gives ${propertyName.text} a second name`);
      return name.text;
    });
  });
}

test('every entry of every package is listed', () => {
  expect(Object.keys(publicNames).sort()).toEqual([...sources.keys()].sort());
});

test.each([...sources])(
  'the entry %s exports what is listed, under the names of its declarations',
  (specifier, source) => {
    expect([...exportedNames(source)].sort()).toEqual([...namesIn(publicNames[specifier] ?? '')].sort());
  },
);

test('the root exports no more names than its budget', () => {
  expect(exportedNames('src/index.ts').length).toBeLessThanOrEqual(ROOT_BUDGET);
});

test('a name is exported by one entry only, apart from decorators, which toolwright/es has in their standard form', () => {
  const isPublic = ([specifier]: readonly [string, string]): boolean => !specifier.startsWith('toolwright/internal');
  const all = Object.entries(publicNames)
    .filter(isPublic)
    .flatMap(([, names]) => namesIn(names));
  const repeated = all.filter((name, index) => all.indexOf(name) !== index);
  expect(repeated.sort()).toEqual([...exportedNames('src/exports/es.ts')].sort());
});
