import { render } from 'preact';
import { App } from './App.js';

const place = document.querySelector('#app');
if (place !== null) render(<App />, place);
