pragma circom 2.1.0;

// The binary digits of `in`, lowest first; nothing above 2^count - 1 has any. Keep count below 254, where a number and
// the same number plus r would both fit.
//
//   1. every digit is 0 or 1
//   2. the digits add up to in
template Bits(count) {
    signal input in;
    signal output out[count];

    var sum = 0;
    for (var i = 0; i < count; i++) {
        // A hint: 1 and 2 decide.
        out[i] <-- (in >> i) & 1;

        // 1.
        out[i] * (out[i] - 1) === 0;
        sum += out[i] * 2 ** i;
    }

    // 2.
    sum === in;
}
