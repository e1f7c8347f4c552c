import { createRoot } from 'react-dom/client';
import { registerApproval } from '@toolwright/ui/approval';
import { App } from './App.js';

registerApproval();
createRoot(document.getElementById('app')!).render(<App />);
