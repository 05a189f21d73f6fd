/** The hosted build's service worker: the page works offline, and a new version waits to be asked for. */
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';
import { files } from 'traintally/files';

declare const self: { skipWaiting(): Promise<void> } & EventTarget;

cleanupOutdatedCaches();
precacheAndRoute([...files]);

self.addEventListener('message', (event) => {
  if ((event as MessageEvent<unknown>).data === 'take-over') void self.skipWaiting();
});
