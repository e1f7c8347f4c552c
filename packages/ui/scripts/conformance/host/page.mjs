// A page of assistant-ui in jsdom: a thread with its messages and calls, and buttons for approvals, another answer and stop.
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<main></main>', { url: 'http://shop.test/', pretendToBeVisual: true });
const { document, requestAnimationFrame, cancelAnimationFrame } = window;
// React and assistant-ui look for these when they are imported.
Object.assign(globalThis, {
  window,
  document,
  HTMLElement: window.HTMLElement,
  requestAnimationFrame,
  cancelAnimationFrame,
});

const { createElement } = await import('react');
const { createRoot } = await import('react-dom/client');
const { HttpAgent } = await import('@ag-ui/client');
const { AssistantRuntimeProvider, MessagePrimitive, ThreadPrimitive, useAui, useAuiState } =
  await import('@assistant-ui/react');
const { useAgUiRuntime } = await import('@assistant-ui/react-ag-ui');

/** Shows a call, and asks for the approval that it waits for. */
function Call({ toolName, args, result, approval, status, respondToApproval }) {
  const decide = (label, response) => createElement('button', { onClick: () => respondToApproval(response) }, label);
  const isAsked = approval !== undefined && approval.approved === undefined && approval.resolution === undefined;
  return createElement(
    'section',
    { className: 'call', 'data-status': status.type },
    `${toolName} ${JSON.stringify(args)}`,
    result === undefined
      ? null
      : createElement('output', null, typeof result === 'string' ? result : JSON.stringify(result)),
    isAsked ? createElement('q', null, approval.prompt) : null,
    isAsked ? decide('Approve', { approved: true }) : null,
    isAsked ? decide('Deny', { approved: false, reason: 'Too much.' }) : null,
  );
}

function Message() {
  const assistant = useAui();
  const role = useAuiState(({ message }) => message.role);
  // assistant-ui sends `custom` as `forwardedProps.runConfig`.
  const onClick = () => assistant.message().reload({ runConfig: { custom: { trigger: 'regenerate' } } });
  const parts = createElement(MessagePrimitive.Parts, { components: { tools: { Fallback: Call } } });
  const again = role === 'assistant' ? createElement('button', { onClick }, 'Again') : null;
  return createElement('article', { 'data-role': role }, parts, again);
}

/**
 * Opens a page.
 *
 * @param fetch sends its requests
 */
export async function openPage(fetch) {
  const problems = [];
  const agent = new HttpAgent({ url: 'http://shop.test/api/chat', threadId: 'c-1', fetch });
  // Aborting a request only disconnects: the page has to say that the answer is stopped.
  const onCancel = () => fetch('http://shop.test/api/chat/c-1/stop', { method: 'POST' });
  let runtime;
  function Page() {
    runtime = useAgUiRuntime({ agent, onCancel, onError: (error) => problems.push(error.message) });
    const thread = createElement(ThreadPrimitive.Messages, { components: { Message } });
    return createElement(AssistantRuntimeProvider, { runtime }, thread);
  }
  const main = document.querySelector('main').appendChild(document.createElement('div'));
  const root = createRoot(main);
  root.render(createElement(Page));
  const waitFor = async (holds) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  await waitFor(() => runtime !== undefined);
  const texts = (selector) => [...main.querySelectorAll(selector)].map(({ textContent }) => textContent);
  return {
    problems,
    /** Returns the texts of the elements that a selector finds. */
    texts,
    waitFor,
    send: (text) => runtime.thread.append(text),
    /** Waits for a button with this label, and presses the last one. */
    async press(label) {
      const find = () => [...main.querySelectorAll('button')].findLast(({ textContent }) => textContent === label);
      await waitFor(() => find() !== undefined);
      find().click();
    },
    stop: () => runtime.thread.cancelRun(),
    isRunning: () => runtime.thread.getState().isRunning,
    close: () => root.unmount(),
  };
}
