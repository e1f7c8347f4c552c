import type { ApprovalElement, ApproveDetail, DenyDetail } from '@toolwright/ui/approval';
import { useState, type DetailedHTMLProps, type HTMLAttributes, type ReactNode } from 'react';
import { Refusal, type Api, type Question } from './api.js';
import { usePolling } from './usePolling.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'toolwright-approval': DetailedHTMLProps<HTMLAttributes<ApprovalElement>, ApprovalElement> & {
        readonly question: Question;
        readonly disabled: boolean;
        readonly onapprove: (event: CustomEvent<ApproveDetail>) => void;
        readonly ondeny: (event: CustomEvent<DenyDetail>) => void;
      };
    }
  }
}

/** The questions that wait for the supervisor, each with what its call would change. */
export function SupervisorPage({ api }: { readonly api: Api }): ReactNode {
  const [questions, setQuestions] = useState<readonly Question[]>();
  const [sending, setSending] = useState<string>();
  const [said, setSaid] = useState('');
  usePolling(true, 2_000, async () => {
    try {
      const { questions: open } = await api.get<{ readonly questions: readonly Question[] }>('/questions');
      setQuestions(await Promise.all(open.map(({ question }) => api.get<Question>(`/questions/${question}`))));
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) location.hash = '#/';
    }
  });
  const decide = async ({ question, tool }: Question, decision: object, word: string): Promise<void> => {
    setSending(question);
    try {
      await api.post(`/questions/${question}`, decision);
      setQuestions((all) => all?.filter((each) => each.question !== question));
      setSaid(`${word}: ${tool.replaceAll('_', ' ')}.`);
    } catch (error) {
      setSaid(error instanceof Refusal ? error.message : 'The server does not answer. Try again.');
    }
    setSending(undefined);
  };
  return (
    <main className="supervisor">
      <h2>Questions for you</h2>
      <p className="said" role="status">
        {said}
      </p>
      {questions?.length === 0 && (
        <p className="soft empty">Nothing waits. Refunds above $200 appear here, with what they would change.</p>
      )}
      <ul>
        {questions?.map((question) => (
          <li key={question.question}>
            <toolwright-approval
              question={question}
              disabled={sending === question.question}
              onapprove={({ detail }) => void decide(question, { approved: true, ...detail }, 'Approved')}
              ondeny={({ detail }) => void decide(question, { approved: false, ...detail }, 'Denied')}
            />
          </li>
        ))}
      </ul>
    </main>
  );
}
