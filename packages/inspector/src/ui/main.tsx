import { registerApproval } from '@toolwright/ui/approval';
import { render } from 'preact';
import { App } from './App.js';

registerApproval();
const place = document.querySelector('#app');
if (place !== null) render(<App />, place);
