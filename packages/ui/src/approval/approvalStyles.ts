/** The style sheet of the component. A page changes its look by the properties `--toolwright-…`. */
export const approvalStyles = `
:host {
  --text: var(--toolwright-text, light-dark(#1a2029, #e6eaf0));
  --soft: var(--toolwright-soft, light-dark(#586271, #9ba7b6));
  --background: var(--toolwright-background, light-dark(#ffffff, #171c23));
  --raised: var(--toolwright-raised, light-dark(#f4f6f8, #1f262f));
  --line: var(--toolwright-line, light-dark(#dde2e8, #2d3642));
  --accent: var(--toolwright-accent, light-dark(#2952cc, #9db4ff));
  --on-accent: var(--toolwright-on-accent, light-dark(#ffffff, #10172b));
  --danger: var(--toolwright-danger, light-dark(#b3243b, #ff94a3));
  --added: var(--toolwright-added, light-dark(#0b6a45, #69dba8));
  --notice: var(--toolwright-notice, light-dark(#fdf1da, #35290f));
  --radius: var(--toolwright-radius, 8px);
  --mono: var(--toolwright-mono, ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace);
  display: block;
  container-type: inline-size;
  color: var(--text);
  font: var(--toolwright-font, 14px/1.5 system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif);
}
:host([hidden]), [hidden] { display: none !important; }
*, *::before, *::after { box-sizing: border-box; }
article {
  display: grid;
  gap: 16px;
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--background);
}
article > *, section > *, form > * { min-width: 0; }
::slotted(*) { min-width: 0; }
h2, h3, p, dl, dd, table { margin: 0; }
h2 { font: 600 15px/1.4 var(--mono); overflow-wrap: anywhere; }
h3 { margin-bottom: 6px; color: var(--soft); font-size: 12px; font-weight: 600; }
.soft { color: var(--soft); }
.head { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: baseline; justify-content: space-between; }
.notice { padding: 8px 12px; border-radius: 6px; background: var(--notice); }
.notice:empty { display: none; }
.error { color: var(--danger); }
.mono, dd, td, textarea.code { font: 12.5px/1.55 var(--mono); }
dl { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr); gap: 4px 16px; }
dt { color: var(--soft); overflow-wrap: anywhere; }
dd, td, pre { overflow-wrap: anywhere; white-space: pre-wrap; }
pre { margin: 0; font: 12.5px/1.55 var(--mono); }
.part { display: grid; gap: 6px; margin-top: 10px; }
.part:first-of-type { margin-top: 0; }
.part b { font: 600 12.5px/1.55 var(--mono); overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th { padding: 4px 10px; border-bottom: 1px solid var(--line); color: var(--soft); font-size: 12px; font-weight: 600; text-align: left; }
td { padding: 5px 10px; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
.frame { overflow: hidden; border: 1px solid var(--line); border-radius: 6px; }
.frame caption { padding: 6px 10px; border-bottom: 1px solid var(--line); background: var(--raised); font: 12.5px/1.55 var(--mono); overflow-wrap: anywhere; text-align: left; }
del { color: var(--danger); text-decoration-thickness: 1px; }
ins { color: var(--added); text-decoration: none; }
details { margin-top: 10px; }
details > summary { color: var(--soft); cursor: pointer; }
details > pre { margin-top: 6px; padding: 8px 10px; border-radius: 6px; background: var(--raised); }
form { display: grid; gap: 14px; padding-top: 14px; border-top: 1px solid var(--line); }
.field { display: grid; gap: 6px; }
label { font-size: 13px; font-weight: 600; }
textarea {
  display: block;
  width: 100%;
  min-height: 60px;
  padding: 8px 10px;
  border: 1px solid light-dark(#8b95a3, #667283);
  border-radius: 6px;
  background: var(--background);
  color: inherit;
  font: inherit;
  field-sizing: content;
  max-height: 320px;
  resize: vertical;
}
.bar { display: flex; flex-wrap: wrap; gap: 8px; }
button {
  min-height: 36px;
  padding: 6px 14px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--background);
  color: inherit;
  font: inherit;
  cursor: pointer;
}
button:hover:not(:disabled) { border-color: var(--soft); }
button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.danger { border-color: currentcolor; color: var(--danger); font-weight: 600; }
button:disabled { border-color: var(--line); background: var(--raised); color: var(--soft); cursor: not-allowed; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@container (max-width: 520px) {
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 6px; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr, td { display: block; }
  tr { padding: 6px 10px; border-bottom: 1px solid var(--line); }
  tr:last-child { border-bottom: 0; }
  td { padding: 1px 0; border: 0; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--soft); font: 12px/1.5 system-ui, sans-serif; }
  .bar button { flex: 1 1 auto; }
}
`;
