import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import entries from '../scripts/entries.cjs';

// The names that users may import from each entry. Removing one breaks their code.
const publicNames: Readonly<Record<string, string>> = {
  '.': `
    Application ApplicationOptions ApprovalPendingError BeginOptions BoundPrompt Budget BudgetExceededError BudgetLimits BudgetTracker
    CallOptions Clock Constructor ContainerError ContentPart Ctx Deadline DeadlineExceededError Disclosure ErrorCode
    EvaluateOptions Field Finding HookInput JsonSchema JsonValue Limits Logger Message ModelAdapter ModelRequest
    ModelResponse NestedResponse OutcomeKind OutputParseError Param ParamIssue ParamOptions PendingCall Prompt
    PromptError PromptEvaluationError PromptOptions PromptRenderError PromptResponse PromptStream PromptValidationError
    ReadOnlyViolationError Reducer Ref RenderOptions RenderedPrompt RenderedSection RenderedTool RunEvent RunHandle
    RunMetadata Section SectionOptions SectionVisibility Session SessionError SessionJson SessionOptions SessionSnapshot
    SliceOp SliceOps Snapshotable StateChange StreamEvent ThrottleError Tool ToolCall ToolContext ToolDefinition ToolExample
    ToolHandler ToolHints ToolOptions ToolOutcome ToolRefusal ToolResult ToolValidationError ToolwrightError
    TransactionClosedError Transactional Usage VisibilityExpansionRequired bind callTransaction createApplication definePrompt
    defineSection defineTool md readTranscript sectionWith systemClock writeTranscript
  `,
  './planning': `
    AddStepParams Plan PlanCompleteChecker PlanStatus PlanStep PlanningParams PlanningSection PlanningStrategy
    SetupPlanParams StepStatus UpdateStepParams
  `,
  './results': `
    ReadResultParams ResultPage ResultsSection
  `,
  './workspace': `
    DirectoryEntry DirectoryListing EditFileParams FileEdited FilePage FileWritten FilesFound GlobParams GrepParams
    LineFound LinesFound ListParams ReadFileParams RemoveParams Removed WorkspaceSection WriteFileParams
  `,
  './bundles': `
    AnswerEntry AttemptEntry Bundle BundleEntry BundleHead BundleRecording BundleReplay BundleSection BundleTool CallEntry
    EndEntry EntryPlace EventEntry OutcomeEntry ProgramEntry ReadBundleOptions RecordBundleOptions RenderingEntry
    ReplayTestOptions RequestEntry ResourcesEntry RunEntry StateEntry readBundle readBundleFile recordBundle replayOf replayTest stateAt
  `,
  './code': `
    AnyFunction BegunCall BridgeAnswer BridgeCall CheckLevel ErrorHint ExceededLimit ExecuteOptions ExecutionResult
    ExecutionStatus ExtractedCode FunctionParams FunctionToolOptions GuestError GuestValue HoldClock KitTool
    NotSerializable ProgramCall ProgramCallStatus ProgramError ProgramErrorKind ProgramEvent ProgramFault ProgramOptions ProgramQuotas
    ProgramsOptions QuickJsSandbox QuickJsSandboxOptions RetryOptions Sandbox SandboxBridge SandboxEnd SandboxError
    SandboxLimits SandboxProgram ToolErrorKind ToolFormat Toolkit ToolkitEntry ToolkitFilter ToolkitOptions extractCode
    programs toolFrom
  `,
  './openai': `
    ChatParameters OpenAIAgentCall OpenAIAgentParameters OpenAIAgentTool OpenAIAgentToolsOptions OpenAIChatAdapter
    OpenAIChatClient OpenAIChatOptions OpenAIResponsesAdapter OpenAIResponsesClient OpenAIResponsesOptions OpenAITools
    OpenAIToolsOptions ResponseParameters toOpenAiAgentTools toOpenAiTools
  `,
  './anthropic': `
    AnthropicAdapter AnthropicClient AnthropicOptions AnthropicRunnableTool AnthropicRunnerCall AnthropicTools
    AnthropicToolsOptions CacheLifetime MessageParameters toAnthropicTools
  `,
  './ai-sdk': `
    AiFileData AiFilePart AiFunctionTool AiJson AiLanguageModel AiMessage AiModelCall AiModelParameters AiOutputPart
    AiProviderOptions AiProviderTool AiSdkAdapter AiSdkOptions AiSupportedUrls AiTextPart AiTool AiToolCallPart
    AiToolExecution AiToolOutput AiToolResultPart AiToolsOptions toAiTools
  `,
  './mcp': `
    McpBridgeError McpBridgeOptions McpCallError McpCapabilities McpClient McpConnection McpConnectionSource McpContent
    McpData McpFollower McpHttpOptions McpListenOptions McpNotifyingConnection McpNotifyingSource McpPeer McpPrompt
    McpPromptArgument McpRequestInfo McpRequestOptions McpResource McpResourceInfo McpResourceTemplate McpSectionOptions
    McpServerError McpServerOptions McpService McpToolkitOptions RemotePrompt RemotePromptOptions RemoteTool
    RemoteToolOptions followMcp getMcpPrompt mcpSection serveMcp toolkitFromMcp
  `,
  './nestjs': `
    ChatController ChatRun InjectToolwright MountController NestContainer NestContainerOptions NestToolCall Toolwright
    ToolwrightFeatureOptions ToolwrightModule ToolwrightModuleExtras ToolwrightModuleOptions fromNest toolCallOf
    toolwrightToken
  `,
  './opentelemetry': `
    OpenTelemetryOptions RunTracesOptions openTelemetry runTraces
  `,
  './tokens': `
    GptEncoding gptTokens
  `,
  './eslint': `default meta rules`,
  './json-schema': `TypedJsonSchema jsonSchema`,
  './postgres': `
    PostgresRuns PostgresRunsOptions PostgresTransactions PostgresTransactionsOptions PreparedStatement Sql SqlClient SqlConnection SqlPool
  `,
  './sqlite': `CipherOptions SqliteRuns SqliteRunsOptions`,
  './pg-boss': `PgBossClient PgBossEngineOptions pgBossEngine pgBossSettings`,
  './testing': `
    AdapterCheck AdapterKit Divergence EngineKit FailAfterOptions FailAtWriteOptions FailingInterceptor FakeClock InjectedFailure
    OpenAdapterKit PrefixReport ProviderCall ProviderTurn ProviderUsage ReceivedByProvider ReplayDivergenceError
    ReplayModel ReplayOptions ScriptStep ScriptedCall ScriptedModel ScriptedModelOptions ScriptedTurn StoreCheck StoreKit expectStablePrefix
    failAfter failAtWrite modelAdapterContract runEngineContract runStoreContract
  `,
  './code/testing': `
    EngineCheck EngineCheckError EngineVerdict engineChecks engineConformance
  `,
  './containers': `
    CircularDependencyError ContainedHandler ContainerAdapter PlainContainer TypediContainers TypediOptions fromTypedi
  `,
  './events': `
    ArgumentRepair ContentPartSummary DispatchResult EventBus EventHead Expansion FeedbackGiven FeedbackGivenFields
    InProcessEventBus PrefixMeasured PrefixMeasuredFields PromptDrifted PromptDriftedFields PromptExecuted
    PromptExecutedFields PromptRendered PromptRenderedFields PromptStopped PromptStoppedFields RejectedToolParams RepairKind
    SectionCost SectionsRequested SectionsRequestedFields Subscriber ToolInvoked ToolInvokedFields ToolProgress
    ToolProgressed ToolProgressedFields ToolsRendered ToolsRenderedFields
  `,
  './extensions': `
    ExtensionTool NamedTool PromptAddition PromptExtension ToolObjection
  `,
  './filesystem': `
    DeleteOptions EditOptions EditResult FileEntry FileStat Filesystem FilesystemError FilesystemErrorKind
    FilesystemSnapshot GlobOptions GrepMatch GrepOptions HostFilesystem HostFilesystemOptions InMemoryFilesystem InMemoryFilesystemOptions
    MkdirOptions ReadOptions ReadResult WriteMode WriteOptions WriteResult
  `,
  './interceptors': `
    InterceptedInvocation InterceptedProgram InterceptedRequest InterceptedRun InterceptedToolCall Interceptor Next
    PrefixMeasure ProgramOutcome
  `,
  './models': `
    FinishReason LoweredToolSchema ModelPart ModelSettings NativeContent OutputSchema SchemaLoss SchemaOptions
    SchemaTarget SentRequest ThrottleDetails ThrottleKind TokenEstimator ToolChanges ToolChoice ToolSchema
    approximateTokens
  `,
  './overrides': `
    ExampleOverride FileOverridesStore InMemoryOverridesStore OverridesErrorDetails OverridesStore PromptAddress
    PromptDescriptor PromptOverrides PromptOverridesError PromptTexts SectionDescriptor SectionOverride TagOptions
    ToolDescriptor ToolOverride
  `,
  './own-loop': `
    ChangedPart OwnLoopOptions Rehearsal RehearsalOptions RunRehearsal RunRehearsalOptions StandardTool StandardToolCall
    ToolFinding rehearse rehearseRun rehearses toStandardTools toolFindings
  `,
  './policies': `
    AllOf AnyOf ApprovalAnswer ApprovalDecision ApprovalRule Approver CallContext CallInfo CompletionChecker
    CompletionVerdict DeadlineFeedback DeadlineFeedbackOptions DeadlineView FeedbackProvider FeedbackTrigger
    FileOutputChecker FileOutputOptions FinalAnswer GuardrailOptions ParsedCall PolicyDecision PolicyRecord
    RateLimitOptions RateLimitPolicy ReadBeforeWriteOptions ReadBeforeWritePolicy RunScope SequentialDependencyPolicy
    StaticFeedback ToolPolicy allow deny
  `,
  './resources': `
    BindOptions BoundPrototype BoundProvider BoundValue CallTransactionBinding CallTransactionOptions DuplicateBindingError
    OutcomeRecord ProviderError ResourceBinding ResourceBusyError ResourceCloseError ResourceError ResourceLifetime ResourceScope
    ToolOfCall UnboundResourceError
  `,
  './conversations': `
    AnswerJudged AppendTransaction CallBegun CallEnded Conversation ConversationBegan ConversationHead ConversationJson
    ConversationJsonBounds ConversationOptions ForkOptions HistoryOptions LogEntry LogPosition
    ModelAnswered ModelChosen NoteAdded OpenLog QuestionAnswered QuestionAsked QuestionReply RecordedTool RunBegan RunEnded RunStore
    SegmentBegan SentDigest SessionDelta SharedChange UnknownCallPolicy
  `,
  './runs': `
    CarryJob DurableRun DurableStore EngineHealth EngineJob LimitRequestsOptions NewRun OpenQuestion PrepareRun PreparedRun PruneOptions
    QuestionFilter QuestionPreview RetryRunOptions RunChanges RunCondition RunEngine RunFilter RunOutline RunRecord RunRecords RunStatus RunStreamEvent RunToPrepare Runs
    RunsHealth RunsOptions RunsOverview SharedLimiter StartOptions TenantFilter VersionPolicy WithinChange limitRequests openRuns
  `,
  './schema': `
    ClassSchema InvalidOutput JsonSchemaConverter JsonSchemaRequest ParseError ParseOptions SchemaOfOptions StandardIssue
    StandardPathElement StandardProps StandardResult StandardSchema dump parse parseOutput schemaOf toStandardSchema
  `,
  './session': `
    ClearAllVisibilityOverrides ClearVisibilityOverride Draft ReducerContext ReducerFunction RegistrableSlice
    SessionFromJsonOptions SessionPort SessionToJsonOptions SetVisibilityOverride SliceDeclaration SlicePolicy SlicePort
    SliceView StateTable VisibilityOverrides appendAll replaceLatest replaceLatestBy upsertBy
  `,
  './state': `
    SortedKey TransactionalTable TransactionalTableOptions copied
  `,
  './types': `
    AbstractConstructor Awaitable BudgetDimension CallEffect ClassOrThunk ConsumedTokens ContentSource
    EnumReference ErrorDetails EvaluationPhase ExpansionRequest FailureKind HeadingStyle IdSource Instance LimitState
    MarkdownTemplate ModelPrice Outcomes OutputContainer OutputOf OutputReference ParamDescription ParameterParamDecorator
    ParamsData PromptDecorator PromptView PropertyParamDecorator RedactHook RenderErrorDetails RenderedView RepairMode ResultMismatch ResultOptions RunStep
    SectionDecorator SectionView StringFormat TemplateSource ToolCaller ToolDecorator ToolMetadata ToolParams ToolRenderableResult ToolRetry
    ToolResultFields ToolReturn ToolView TypeReference ValueOf
  `,
};

/** The maximum number of names of the root. What only some users need belongs to a sub-path. */
const ROOT_BUDGET = 120;

const namesIn = (list: string): readonly string[] => list.trim().split(/\s+/);

/** The names that an entry exports, types included. */
function exportedNames(entry: string): readonly string[] {
  const file = join(__dirname, '../src', `${entry}.ts`);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022);
  return source.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) throw new Error(`${file} holds more than exports`);
    const clause = statement.exportClause;
    if (clause === undefined || !ts.isNamedExports(clause)) throw new Error(`${file} exports everything of a file`);
    return clause.elements.map(({ propertyName, name }) => {
      if (propertyName !== undefined) throw new Error(`${file} gives ${propertyName.text} a second name`);
      return name.text;
    });
  });
}

test('every entry of the package is listed', () => {
  expect(Object.keys(publicNames)).toEqual(Object.keys(entries));
});

test.each(Object.entries(entries))(
  'the entry %s exports what is listed, under the names of its declarations',
  (path, file) => {
    expect([...exportedNames(file)].sort()).toEqual([...namesIn(publicNames[path] ?? '')].sort());
  },
);

test('the root exports no more names than its budget', () => {
  expect(exportedNames('index').length).toBeLessThanOrEqual(ROOT_BUDGET);
});

test('a name is exported by one entry only', () => {
  const all = Object.values(publicNames).flatMap(namesIn);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
