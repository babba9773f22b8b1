// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "../src/Constants.sol";
import {TrapdoorVerifier} from "./helpers/TrapdoorVerifier.sol";
import {vm} from "./helpers/Vm.sol";

/// The verifier as it is rendered, for 20 signals and a key whose secrets are known. With them a proof can be made for any
/// signals, and arithmetic on numbers says whether one is valid: a b = alpha beta + gamma L + delta c.
/// ├── valid exactly when the equation holds, for any signals and points
/// └── false when a precompile fails, returns too little, returns nothing, or is not there
contract TrapdoorVerifierTest {
    uint256 private constant SIGNALS = 20;
    uint256 private constant GAS = 1_000_000;
    TrapdoorVerifier private verifier = new TrapdoorVerifier();

    /// forge-config: default.fuzz.runs = 24
    function testFuzz_ValidForTheSignalsItWasMadeFor(uint256 seed, uint256 c) public view {
        uint256[20] memory signals = _someSignals(seed);
        vm.assertTrue(_verify(_solve(signals, c), c, signals));
    }

    /// forge-config: default.fuzz.runs = 24
    function testFuzz_InvalidForOtherSignals(uint256 seed, uint256 c, uint256 index, uint256 difference) public view {
        uint256[20] memory signals = _someSignals(seed);
        uint256 a = _solve(signals, c);
        uint256 other = addmod(signals[index % SIGNALS], difference, FIELD_ORDER);
        vm.assume(other != signals[index % SIGNALS]);
        signals[index % SIGNALS] = other;
        vm.assertFalse(_verify(a, c, signals), "another signal passed");
    }

    /// forge-config: default.fuzz.runs = 24
    function testFuzz_InvalidForOtherPoints(uint256 seed, uint256 c, uint256 differenceA, uint256 differenceC)
        public
        view
    {
        uint256[20] memory signals = _someSignals(seed);
        uint256 a = addmod(_solve(signals, c), differenceA, FIELD_ORDER);
        uint256 otherC = addmod(c, differenceC, FIELD_ORDER);
        // A different C has one A that fits.
        vm.assume(a != _solve(signals, otherC));
        vm.assertFalse(_verify(a, otherC, signals), "another point passed");
    }

    function test_ValidForSignalsAtTheirBounds() public view {
        uint256[20] memory signals;
        vm.assertTrue(_verify(_solve(signals, 1), 1, signals));
        for (uint256 i = 0; i < SIGNALS; ++i) {
            signals[i] = FIELD_ORDER - 1;
        }
        vm.assertTrue(_verify(_solve(signals, 1), 1, signals));
    }

    function test_InvalidWhen_APrecompileFailsOrReturnsTooLittle() public {
        uint256[20] memory signals = _someSignals(1);
        (uint256[2] memory a, uint256[2] memory c) = (_multiple(_solve(signals, 1)), _multiple(1));
        for (uint160 precompile = 6; precompile <= 8; ++precompile) {
            uint256 whole = precompile == 8 ? 32 : 64;
            vm.mockCallRevert(address(precompile), "", "");
            vm.assertFalse(verifier.verifyProof{gas: GAS}(a, _b(), c, signals), "it failed");
            // As if there were no precompile: a call that succeeds and returns nothing.
            vm.mockCall(address(precompile), "", "");
            vm.assertFalse(verifier.verifyProof{gas: GAS}(a, _b(), c, signals), "nothing returned");
            vm.mockCall(address(precompile), "", new bytes(whole - 1));
            vm.assertFalse(verifier.verifyProof{gas: GAS}(a, _b(), c, signals), "too little");
            vm.clearMockedCalls();
        }
        vm.assertTrue(verifier.verifyProof{gas: GAS}(a, _b(), c, signals));
    }

    function test_InvalidWhen_ThePairingReturnsOtherThanOne() public {
        uint256[20] memory signals = _someSignals(1);
        (uint256[2] memory a, uint256[2] memory c) = (_multiple(_solve(signals, 1)), _multiple(1));
        vm.mockCall(address(8), "", abi.encode(0));
        vm.assertFalse(verifier.verifyProof{gas: GAS}(a, _b(), c, signals), "zero");
        vm.mockCall(address(8), "", abi.encode(2));
        vm.assertFalse(verifier.verifyProof{gas: GAS}(a, _b(), c, signals), "two");
        vm.mockCall(address(8), "", abi.encode(1, 1));
        vm.assertFalse(verifier.verifyProof{gas: GAS}(a, _b(), c, signals), "two words");
    }

    /// With A = a G1, B the generator of G2, and C = c G1.
    function _verify(uint256 a, uint256 c, uint256[20] memory signals) private view returns (bool) {
        return verifier.verifyProof{gas: GAS}(_multiple(a), _b(), _multiple(c), signals);
    }

    /// The a of a valid proof whose b is 1.
    function _solve(uint256[20] memory signals, uint256 c) private pure returns (uint256 a) {
        uint256 sum = _ic(0);
        for (uint256 i = 0; i < SIGNALS; ++i) {
            sum = addmod(sum, mulmod(signals[i], _ic(i + 1), FIELD_ORDER), FIELD_ORDER);
        }
        a = mulmod(_secret("alpha"), _secret("beta"), FIELD_ORDER);
        a = addmod(a, mulmod(_secret("gamma"), sum, FIELD_ORDER), FIELD_ORDER);
        a = addmod(a, mulmod(_secret("delta"), c, FIELD_ORDER), FIELD_ORDER);
    }

    function _secret(bytes memory name) private pure returns (uint256) {
        return uint256(keccak256(name)) % FIELD_ORDER;
    }

    function _ic(uint256 index) private pure returns (uint256) {
        return _secret(abi.encodePacked("ic", uint8(index)));
    }

    function _someSignals(uint256 seed) private pure returns (uint256[20] memory signals) {
        for (uint256 i = 0; i < SIGNALS; ++i) {
            signals[i] = uint256(keccak256(abi.encode(seed, i))) % FIELD_ORDER;
        }
    }

    function _multiple(uint256 scalar) private view returns (uint256[2] memory) {
        (bool done, bytes memory point) = address(7).staticcall(abi.encode(1, 2, scalar));
        require(done, "ecMul");
        return abi.decode(point, (uint256[2]));
    }

    /// The generator of G2 (EIP-197).
    function _b() private pure returns (uint256[2][2] memory) {
        return [
            [
                11559732032986387107991004021392285783925812861821192530917403151452391805634,
                10857046999023057135944570762232829481370756359578518086990519993285655852781
            ],
            [
                4082367875863433681332203403145435568316851327593401208105741076214120093531,
                8495653923123431417604973247489272438418190587263600148770280649306958101930
            ]
        ];
    }
}
