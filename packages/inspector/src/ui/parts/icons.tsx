import type { JSX } from 'preact';

/** The views of the page. */
export type View = 'prompt' | 'tools' | 'runs' | 'state' | 'approvals' | 'bundles';

function drawIcon(path: string): JSX.Element {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

export const icons: Readonly<Record<View, JSX.Element>> = {
  prompt: drawIcon('M4 5h16M4 10h10M4 15h16M4 20h7'),
  tools: drawIcon('M14.5 6.5a4 4 0 0 0-5 5L4 17l3 3 5.5-5.5a4 4 0 0 0 5-5L15 12l-3-3z'),
  runs: drawIcon('M4 6h6M8 12h9M13 18h7M4 4v16'),
  state: drawIcon('M12 3 3 8l9 5 9-5zM3 13l9 5 9-5'),
  approvals: drawIcon('M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5'),
  bundles: drawIcon('M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8'),
};
