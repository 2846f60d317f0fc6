// One service serves the tests of all these files, because each start of the local run also starts its functions.
// The hostile requests come first, because they compare whole tables, which are empty then.
import './hostile/hostile.ts';
import './errors.ts';
import './requests.ts';
import './responses.ts';
import './values.ts';
