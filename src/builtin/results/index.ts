export { ReadResultParams } from './ReadResultParams.js';
export { ResultPage } from './ResultPage.js';
export { ResultsSection } from './ResultsSection.js';
