import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { Api, type About, type Person } from './api.js';
import { CustomerPage } from './CustomerPage.js';
import { SignIn } from './SignIn.js';
import { SupervisorPage } from './SupervisorPage.js';

/** The page of the person whom the address names: `#/PERSON`, and for customers `#/PERSON/CHAT`. */
export function App(): ReactNode {
  const [personId, chat] = useAddress();
  const [about, setAbout] = useState<About>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    fetch('/api/people')
      .then((response) => response.json() as Promise<About>)
      .then(setAbout, () => setProblem('The server does not answer. Load the page again.'));
  }, []);
  const person = about?.people.find(({ id }) => id === personId);
  const api = useMemo(() => person && new Api(person), [person]);
  useEffect(() => {
    document.title = person === undefined ? 'Harbour Store desk' : `${person.name} · Harbour Store desk`;
  }, [person]);
  if (problem !== undefined)
    return (
      <main className="center">
        <h1>Harbour Store desk</h1>
        <p role="alert">{problem}</p>
      </main>
    );
  if (about === undefined) return null;
  if (api === undefined || person === undefined) return <SignIn people={about.people} />;
  return (
    <div className="app">
      <header className="top">
        <h1>
          <span className="mark" aria-hidden="true" />
          Harbour Store
        </h1>
        <p className="soft answered">Answered by: {about.answeredBy}</p>
        <p className="who">{person.name}</p>
        <button type="button" className="bare" onClick={() => void signOut(person)}>
          Sign out
        </button>
      </header>
      {person.role === 'supervisor' ? <SupervisorPage api={api} /> : <CustomerPage api={api} chat={chat} />}
    </div>
  );
}

/** Returns the parts of the address behind the hash. */
function useAddress(): readonly string[] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return hash.replace(/^#\//, '').split('/');
}

async function signOut(person: Person): Promise<void> {
  await fetch(`/api/people/${person.id}/sign-out`, { method: 'POST' });
  location.hash = '#/';
}
