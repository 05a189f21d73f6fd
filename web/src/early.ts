/** Runs before the page's own script, in its document alone. */
import { compileEarly } from './core/early';

compileEarly();
