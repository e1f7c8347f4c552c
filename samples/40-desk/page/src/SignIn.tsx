import { useState, type ReactNode } from 'react';
import type { Person } from './api.js';

export function SignIn({ people }: { readonly people: readonly Person[] }): ReactNode {
  const [problem, setProblem] = useState<string>();
  const signIn = async ({ id }: Person): Promise<void> => {
    const response = await fetch(`/api/people/${id}/sign-in`, { method: 'POST' });
    if (response.ok) location.hash = `#/${id}`;
    else setProblem(await response.text());
  };
  return (
    <main className="center">
      <h1>
        <span className="mark" aria-hidden="true" />
        Harbour Store
      </h1>
      <p className="soft">
        The support desk of a shop that does not exist. This is a demo: choose who you are, without a password. Open
        another tab to be somebody else at the same time.
      </p>
      <ul className="people">
        {people.map((person) => (
          <li key={person.id}>
            <button type="button" onClick={() => void signIn(person)}>
              <span className="avatar" aria-hidden="true">
                {person.name
                  .split(' ')
                  .map((name) => name[0])
                  .join('')}
              </span>
              <span>
                <b>{person.name}</b>
                <span className="soft">
                  {person.role === 'customer'
                    ? 'Customer: writes to the desk'
                    : 'Supervisor: decides about large refunds'}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </main>
  );
}
