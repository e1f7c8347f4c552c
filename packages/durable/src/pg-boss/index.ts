export { pgBossEngine, pgBossSettings, type PgBossClient, type PgBossEngineOptions } from './pgBossEngine.js';
