// One service serves the tests of all these files, because each start of the local run also starts its functions.
import './errors.ts';
import './requests.ts';
import './responses.ts';
import './values.ts';
