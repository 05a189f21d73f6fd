/** Runs before anything else, in the page's document alone. */
import { showFirstAnswer } from './elements/first';

showFirstAnswer();
