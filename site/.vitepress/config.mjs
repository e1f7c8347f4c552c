// VitePress bundles this file, which modules with `require` do not survive, so the settings are loaded when it runs.
const settings = new URL('../settings.mjs', import.meta.url).href;

export default (await import(settings)).default;
