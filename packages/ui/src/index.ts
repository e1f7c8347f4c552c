// Chats of people: handlers for the clients of the AI SDK and of AG-UI, approvals over HTTP.
export { chatHandler, type ChatHandlerOptions } from './aiSdk/chatHandler.js';
export { agUiHandler } from './agUi/agUiHandler.js';
export type { ChatLimits, ChatMessage, ChatOptions, ChatSubmission, ChatUser } from './chats/ChatOptions.js';
export type { ChatHandler, ChatSource } from './chats/ChatService.js';
export type { ShownSlices } from './chats/StateReader.js';
export type { ApprovalDescription } from './chats/ApprovalDescription.js';
export { getNodeRequest, toNodeHandler, type NodeRequest, type NodeResponse } from './node/toNodeHandler.js';
