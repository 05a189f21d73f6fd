/** The single page: its data blocks become the core and the catalogue, its elements come to life. */
import { compiledBlock } from './core/early';
import { blockText } from './core/blocks';
import { provide } from './core/services';
import { defineElements, whole } from './elements/define';
import { TrainTally } from './elements/train-tally';
import { talkToHost } from './frame';
import { registerWorker } from './register';
import { locale } from './words/locale';

provide(() => ({
  compiled: compiledBlock(),
  catalog: blockText('traintally-catalog'),
}));

document.addEventListener('train-tally-change', (event) => {
  const app = event.target;
  if (!(app instanceof TrainTally)) return;
  const { documentElement: root } = document;
  root.lang = app.language;
  if (app.scheme === null) delete root.dataset['scheme'];
  else root.dataset['scheme'] = app.scheme;
  document.title = locale(app.language).t('app.title');
});

defineElements(whole);

if (document.querySelector('link[rel=manifest]') !== null) registerWorker();

const framed = document.querySelector<TrainTally>('train-tally[framed]');
if (framed !== null) talkToHost(framed);
