import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: { outDir: '../dist', emptyOutDir: true, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 700 },
  // For `npm run dev`, beside `npm run sample -- 40-desk`.
  server: { proxy: { '/api': 'http://127.0.0.1:4040' } },
});
