// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_NOTE, FIELD_ORDER} from "../../src/Constants.sol";
import {StructHashes} from "../../src/StructHashes.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {TestUSDG} from "../../src/tokens/TestUSDG.sol";
import {AcceptingVerifier} from "./AcceptingVerifier.sol";
import {deployLedger} from "./DeployLedger.sol";
import {StructSigner} from "./StructSigner.sol";
import {vm} from "./Vm.sol";

/// A ledger whose verifiers take every proof, with alice (and her spender and agent) and bob enrolled.
abstract contract LedgerTest is StructSigner {
    uint64 internal constant NOW = 1_800_000_000;
    uint64 internal constant SOON = NOW + 1 hours;
    uint64 internal constant UNTIL = NOW + 30 days;
    uint256 internal constant ALICE_KEY = 0xa11ce;
    uint256 internal constant BOB_KEY = 0xb0b;
    uint256 internal constant AGENT_KEY = 0xa6e47;
    uint256 internal constant SPENDER_KEY = 0x59e4d;
    uint256 internal constant STRANGER_KEY = 0x57a46e;

    address internal alice = vm.addr(ALICE_KEY);
    address internal bob = vm.addr(BOB_KEY);
    address internal agent = vm.addr(AGENT_KEY);
    address internal spender = vm.addr(SPENDER_KEY);
    address internal stranger = vm.addr(STRANGER_KEY);
    address internal carol = address(0xca401);
    address internal relayer = address(0x4e1a);
    address internal minter = address(0x317);

    ILedger internal ledger;
    TestUSDG internal usdg;
    ILedger.Proof internal proof;

    function setUp() public virtual {
        vm.warp(NOW);
        vm.roll(1000);
        address verifier = address(new AcceptingVerifier());
        ledger = deployLedger(address(this), [verifier, verifier, verifier, verifier]);
        separator = ledger.domainSeparator();
        usdg = new TestUSDG(minter);
        ledger.listAsset(address(usdg), 1, type(uint64).max);
        ledger.listAsset(address(0), 1 gwei, type(uint64).max);
        _enroll(ALICE_KEY, spender);
        _enroll(BOB_KEY, address(0));
        _enrollAgent(ALICE_KEY, AGENT_KEY);
    }

    /// An unused commitment, different for each seed.
    function _word(uint256 seed) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode("word", seed))) % FIELD_ORDER;
    }

    function _enroll(uint256 key, address spender_) internal {
        ILedger.EnrollParams memory params =
            ILedger.EnrollParams(vm.addr(key), keccak256(abi.encode(key)), spender_, UNTIL, "sealed root", SOON);
        bytes memory signature = _signEnroll(key, params);
        ledger.enroll(params, signature);
    }

    function _enrollAgent(uint256 ownerKey, uint256 agentKey) internal {
        bytes32 hash = StructHashes.enrollAgent(vm.addr(agentKey), vm.addr(ownerKey), SOON);
        ledger.enrollAgent(
            vm.addr(agentKey), vm.addr(ownerKey), SOON, _sign(ownerKey, hash), _sign(agentKey, hash)
        );
    }

    /// Credits `units` of USDG.
    function _deposit(address who, uint64 units) internal {
        vm.prank(minter);
        usdg.mint(who, units);
        vm.startPrank(who);
        usdg.approve(address(ledger), units);
        ledger.deposit(address(usdg), units);
        vm.stopPrank();
    }

    /// alice pays bob.
    function _transferParams(uint256 seed) internal view returns (ILedger.TransferParams memory) {
        return ILedger.TransferParams({
            account: alice,
            to: bob,
            asset: address(usdg),
            newBudget: _word(seed),
            note: _word(seed + 1),
            deadline: SOON,
            recipientCiphertext: "to bob",
            payerCiphertext: "to alice"
        });
    }

    /// alice releases 5 units to carol.
    function _releaseParams(uint256 seed) internal view returns (ILedger.ReleaseParams memory) {
        return ILedger.ReleaseParams({
            account: alice,
            to: carol,
            asset: address(usdg),
            newBudget: _word(seed),
            amount: 5,
            deadline: SOON,
            payerCiphertext: "to alice"
        });
    }

    /// alice funds her agent.
    function _fundParams(uint256 seed) internal view returns (ILedger.FundParams memory) {
        return ILedger.FundParams({
            from: alice,
            to: agent,
            asset: address(usdg),
            fromNewBudget: _word(seed),
            toNewBudget: _word(seed + 1),
            deadline: SOON,
            fromCiphertext: "to alice",
            toCiphertext: "to alice too"
        });
    }

    /// alice allocates, from no note and no credit, without change.
    function _allocateParams(uint256 seed) internal view returns (ILedger.AllocateParams memory params) {
        params.account = alice;
        params.asset = address(usdg);
        params.newBudget = _word(seed);
        for (uint256 i = 0; i < 8; ++i) {
            params.notes[i] = EMPTY_NOTE;
        }
        params.changeNote = EMPTY_NOTE;
        params.deadline = SOON;
        params.ciphertext = "to alice";
    }

    /// Opens a note of `key`'s account as the change of an allocation, and returns it.
    function _openNote(uint256 key, uint256 seed) internal returns (uint256 note) {
        ILedger.AllocateParams memory params = _allocateParams(seed);
        params.account = vm.addr(key);
        params.changeNote = note = _word(seed + 1);
        vm.prank(params.account);
        ledger.allocate(params, proof, "");
    }

    function _nonce(address who) internal view returns (uint64 nonce) {
        (,,,, nonce,) = ledger.account(who);
    }

    function _status(address who, uint256 note) internal view returns (ILedger.NoteStatus) {
        return ledger.noteStatus(who, address(usdg), note);
    }

    function _assertStatus(address who, uint256 note, ILedger.NoteStatus expected) internal view {
        vm.assertEq(uint256(_status(who, note)), uint256(expected));
    }

    function _old(address who) internal view returns (uint256) {
        return ledger.budgetOf(who, address(usdg));
    }

    function _expectNotAuthorized(address account, address signer) internal {
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAuthorized.selector, account, signer));
    }
}
