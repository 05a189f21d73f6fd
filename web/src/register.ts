/** For the hosted build alone: the service worker, and a notice when there is a new version. */
import { chooseLanguage, locale } from './words/locale';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

/** The only script address that this page ever gives to the browser. */
const address = 'sw.js';

function scriptAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('traintally', { createScriptURL: () => address });
  return policy?.createScriptURL('') ?? address;
}

function offer(waiting: ServiceWorker): void {
  if (document.getElementById('update') !== null) return;
  const { t } = locale(chooseLanguage([document.documentElement.lang]));
  const notice = document.createElement('div');
  notice.id = 'update';
  notice.setAttribute('role', 'status');
  const text = document.createElement('span');
  text.textContent = t('update.there');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = t('update.take');
  button.addEventListener('click', () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      location.reload();
    });
    waiting.postMessage('take-over');
  });
  notice.append(text, button);
  document.body.append(notice);
}

async function register(): Promise<void> {
  const registration = await navigator.serviceWorker.register(scriptAddress());
  // The first version has nobody to tell; a later one has.
  const look = (worker: ServiceWorker | null): void => {
    if (worker?.state === 'installed' && navigator.serviceWorker.controller !== null) offer(worker);
  };
  look(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      look(worker);
    });
  });
}

export function registerWorker(): void {
  // A copy that was saved to disk has the manifest's link too, but nobody to serve a worker.
  if (!('serviceWorker' in navigator) || !location.protocol.startsWith('http')) return;
  register().catch((error: unknown) => {
    console.warn(error); // a browser or a host that allows none: the page works all the same
  });
}
