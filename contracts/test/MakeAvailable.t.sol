// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_AVAILABLE, EMPTY_NOTE, FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// make available, abandon
/// ├── authority: the account's wallet; of an agent its owner's wallet
/// ├── refused signer: payment key, agent's wallet, a stranger, an old nonce
/// ├── notes: each open and the account's own, once; empty slots skipped; change unused before
/// ├── deposited money: not more than there is, of this asset
/// ├── commitments: zero, empty, at or above r refused
/// └── replay: refused although the available balance commitment recurs
contract MakeAvailableTest is LedgerTest {
    function test_NotesAndDepositedBecomeAAvailableAndAChangeNote() public {
        _deposit(alice, 100);
        uint256 note = _openNote(ALICE_KEY, 1);
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        p.notes[3] = note;
        p.deposited = 60;
        p.changeNote = _commitment(11);
        bytes memory signature = _signMakeAvailable(ALICE_KEY, p, _old(alice), 1);
        vm.expectEmit();
        emit ILedger.MadeAvailable(
            alice, address(usdg), _commitment(1), p.newAvailable, p.notes, 60, p.changeNote, p.ciphertext
        );
        ledger.makeAvailable(p, proof, signature);
        vm.assertEq(_old(alice), p.newAvailable);
        vm.assertEq(ledger.depositedOf(alice, address(usdg)), 40);
        _assertStatus(alice, note, ILedger.NoteStatus.Spent);
        _assertStatus(alice, p.changeNote, ILedger.NoteStatus.Open);
        _assertStatus(alice, EMPTY_NOTE, ILedger.NoteStatus.None);
        vm.assertEq(_nonce(alice), 2);
    }

    function test_TheOwnersWalletMakesAvailableForItsAgent() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.account = agent;
        ledger.makeAvailable(p, proof, _signMakeAvailable(ALICE_KEY, p, EMPTY_AVAILABLE, 0));
        vm.assertEq(_old(agent), p.newAvailable);
        vm.assertEq(_nonce(agent), 1);
        vm.assertEq(_nonce(alice), 0);
    }

    function test_RevertWhen_ThePaymentKeyMakesAvailable() public {
        _refuseSigner(PAYMENT_KEY, alice);
    }

    function test_RevertWhen_AStrangerMakesAvailable() public {
        _refuseSigner(STRANGER_KEY, alice);
    }

    function test_RevertWhen_AnAgentMakesAvailableForItself() public {
        _refuseSigner(AGENT_KEY, agent);
    }

    function test_RevertWhen_AnAgentMakesAvailableForItsOwner() public {
        _refuseSigner(AGENT_KEY, alice);
    }

    function test_RevertWhen_TheOwnersPaymentKeyMakesAvailableForAnAgent() public {
        _refuseSigner(PAYMENT_KEY, agent);
    }

    function test_RevertWhen_ARelayerHasAProofAndNoSignature() public {
        vm.prank(relayer);
        _expectNotAuthorized(alice, relayer);
        ledger.makeAvailable(_makeAvailableParams(1), proof, "");
    }

    function test_RevertWhen_TheAccountHasNoRecord() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.account = stranger;
        _expectRefusal(STRANGER_KEY, p, abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
    }

    function test_RevertWhen_ReplayedAfterTheAvailableWordRecurs() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        bytes memory signature = _signMakeAvailable(ALICE_KEY, p, EMPTY_AVAILABLE, 0);
        ledger.makeAvailable(p, proof, signature);
        vm.prank(alice);
        ledger.abandon(alice, address(usdg), SOON, "");
        vm.assertEq(_old(alice), EMPTY_AVAILABLE);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.makeAvailable(p, proof, signature);
    }

    function test_RevertWhen_TheNonceWasUsedAsSender() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        bytes memory signature = _signMakeAvailable(ALICE_KEY, p, EMPTY_AVAILABLE, 0);
        vm.prank(alice);
        ledger.setPaymentKey(alice, paymentKey, UNTIL, SOON, "");
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.makeAvailable(p, proof, signature);
    }

    function test_RevertWhen_TheDeadlineHasPassed() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.deadline = NOW - 1;
        _expectRefusal(ALICE_KEY, p, abi.encodeWithSelector(ILedger.BadDeadline.selector, p.deadline, NOW));
    }

    function test_RevertWhen_ANoteWasSpent() public {
        uint256 note = _openNote(ALICE_KEY, 1);
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        p.notes[0] = note;
        vm.prank(alice);
        ledger.makeAvailable(p, proof, "");
        p.newAvailable = _commitment(20);
        _refuseNote(p, note);
    }

    function testFuzz_RevertWhen_ANoteStandsTwiceInOneCall(uint8 first, uint8 second) public {
        (first, second) = (first % 8, second % 8);
        vm.assume(first != second);
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        uint256 note = _openNote(ALICE_KEY, 1);
        (p.notes[first], p.notes[second]) = (note, note);
        _refuseNote(p, note);
        _assertStatus(alice, note, ILedger.NoteStatus.Open);
    }

    function test_RevertWhen_TheNoteIsAnothers() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        p.notes[0] = _openNote(BOB_KEY, 1);
        _refuseNote(p, p.notes[0]);
    }

    function test_RevertWhen_TheNoteIsOfAnotherAsset() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        p.notes[0] = _openNote(ALICE_KEY, 1);
        p.asset = address(0);
        _expectRefusal(
            ALICE_KEY, p, abi.encodeWithSelector(ILedger.NoteNotOpen.selector, alice, address(0), p.notes[0])
        );
    }

    function test_RevertWhen_ANoteIsZero() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        p.notes[7] = 0;
        _refuseNote(p, 0);
    }

    function testFuzz_RevertWhen_ANoteWasNeverOpened(uint256 note) public {
        vm.assume(note != EMPTY_NOTE);
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        p.notes[2] = note;
        _refuseNote(p, note);
    }

    function test_RevertWhen_AnOpenNoteIsGivenPlusTheFieldOrder() public {
        uint256 note = _openNote(ALICE_KEY, 1);
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        p.notes[0] = note + FIELD_ORDER;
        _refuseNote(p, note + FIELD_ORDER);
    }

    function test_RevertWhen_TheChangeIsASpentNoteOfTheCall() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(10);
        p.notes[0] = p.changeNote = _openNote(ALICE_KEY, 1);
        _expectRefusal(
            ALICE_KEY, p, abi.encodeWithSelector(ILedger.NoteNotNew.selector, alice, address(usdg), p.changeNote)
        );
    }

    function test_RevertWhen_TheChangeIsZero() public {
        _refuseChange(0);
    }

    function testFuzz_RevertWhen_TheChangeIsNotBelowTheFieldOrder(uint256 excess) public {
        vm.assume(excess <= type(uint256).max - FIELD_ORDER);
        _refuseChange(FIELD_ORDER + excess);
    }

    function test_RevertWhen_TheNewAvailableIsZero() public {
        _refuseAvailable(0);
    }

    function test_RevertWhen_TheNewAvailableIsTheEmptyOne() public {
        _refuseAvailable(EMPTY_AVAILABLE);
    }

    function testFuzz_RevertWhen_TheNewAvailableIsNotBelowTheFieldOrder(uint256 excess) public {
        vm.assume(excess <= type(uint256).max - FIELD_ORDER);
        _refuseAvailable(FIELD_ORDER + excess);
    }

    function testFuzz_RevertWhen_TheDepositedIsNotThere(uint64 credited, uint64 needed) public {
        vm.assume(needed > credited);
        if (credited > 0) _deposit(alice, credited);
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.deposited = needed;
        _expectRefusal(
            ALICE_KEY,
            p,
            abi.encodeWithSelector(ILedger.InsufficientDeposited.selector, alice, address(usdg), credited, needed)
        );
        vm.assertEq(ledger.depositedOf(alice, address(usdg)), credited);
    }

    function test_RevertWhen_TheDepositedIsOfAnotherAsset() public {
        _deposit(alice, 10);
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.asset = address(0);
        p.deposited = 10;
        _expectRefusal(
            ALICE_KEY, p, abi.encodeWithSelector(ILedger.InsufficientDeposited.selector, alice, address(0), 0, 10)
        );
    }

    function test_AbandonBurnsTheAvailable() public {
        vm.prank(alice);
        ledger.makeAvailable(_makeAvailableParams(1), proof, "");
        bytes32 hash = _abandonHash(alice, _commitment(1), 1);
        vm.expectEmit();
        emit ILedger.Abandoned(alice, address(usdg), _commitment(1));
        ledger.abandon(alice, address(usdg), SOON, _sign(ALICE_KEY, hash));
        vm.assertEq(_old(alice), EMPTY_AVAILABLE);
        vm.assertEq(_nonce(alice), 2);
    }

    function test_RevertWhen_AnAgentAbandons() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.account = agent;
        vm.prank(alice);
        ledger.makeAvailable(p, proof, "");
        vm.prank(agent);
        _expectNotAuthorized(agent, agent);
        ledger.abandon(agent, address(usdg), SOON, "");
    }

    function test_RevertWhen_ThePaymentKeyAbandons() public {
        vm.prank(alice);
        ledger.makeAvailable(_makeAvailableParams(1), proof, "");
        bytes memory signature = _sign(PAYMENT_KEY, _abandonHash(alice, _commitment(1), 1));
        _expectNotAuthorized(alice, paymentKey);
        ledger.abandon(alice, address(usdg), SOON, signature);
    }

    function test_RevertWhen_ThereIsNothingToAbandon() public {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NothingToAbandon.selector, alice, address(usdg)));
        ledger.abandon(alice, address(usdg), SOON, "");
    }

    function _abandonHash(address who, uint256 commitment, uint64 nonce) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("Abandon(address account,address asset,uint256 oldAvailable,uint64 nonce,uint64 deadline)"),
                who,
                address(usdg),
                commitment,
                nonce,
                SOON
            )
        );
    }

    function _refuseSigner(uint256 key, address account) private {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.account = account;
        _expectRefusal(key, p, abi.encodeWithSelector(ILedger.NotAuthorized.selector, account, vm.addr(key)));
    }

    function _refuseNote(ILedger.MakeAvailableParams memory p, uint256 note) private {
        _expectRefusal(ALICE_KEY, p, abi.encodeWithSelector(ILedger.NoteNotOpen.selector, alice, address(usdg), note));
    }

    function _refuseChange(uint256 note) private {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.changeNote = note;
        _expectRefusal(ALICE_KEY, p, abi.encodeWithSelector(ILedger.InvalidNote.selector, note));
    }

    function _refuseAvailable(uint256 commitment) private {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.newAvailable = commitment;
        _expectRefusal(ALICE_KEY, p, abi.encodeWithSelector(ILedger.InvalidAvailableBalance.selector, commitment));
    }

    function _expectRefusal(uint256 key, ILedger.MakeAvailableParams memory p, bytes memory reason) private {
        uint256 before = ledger.availableOf(p.account, p.asset);
        bytes memory signature = _signMakeAvailable(key, p, before, _nonce(p.account));
        vm.expectRevert(reason);
        ledger.makeAvailable(p, proof, signature);
        vm.assertEq(ledger.availableOf(p.account, p.asset), before);
    }
}
