// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPermit2} from "../interfaces/IPermit2.sol";
import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {IReceiveWithAuthorization} from "../interfaces/IReceiveWithAuthorization.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {TermsCalldata} from "../libraries/TermsCalldata.sol";
import {Tokens} from "../libraries/Tokens.sol";
import {PlanStore} from "./PlanStore.sol";

/// @title Funding by four kinds of transfer, after one check of the terms
abstract contract PlanFunding is PlanStore {
    using TermsCalldata for Terms;
    using SafeERC20 for IERC20;

    uint256 private constant MAX_TOKENS = 4;
    uint256 private constant MAX_FEE_BPS = 1000;
    /// @dev Time for a payee to claim what silence gives it, and for an arbitrator to rule.
    uint256 private constant MIN_WINDOW = 10 minutes;
    /// @dev No money is held for longer, even if keys are lost.
    uint256 private constant MAX_DURATION = 365 days;

    /// @dev Permit2 stands at this address on every chain that has it.
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    string private constant PERMIT2_WITNESS = "bytes32 planId)TokenPermissions(address token,uint256 amount)";

    address private immutable _token0;
    address private immutable _token1;
    address private immutable _token2;
    address private immutable _token3;

    constructor(address[] memory tokens) {
        if (tokens.length == 0 || tokens.length > MAX_TOKENS) revert BadTokenCount(tokens.length, MAX_TOKENS);
        for (uint256 i = 0; i < tokens.length; ++i) {
            if (tokens[i].code.length == 0) revert TokenWithoutCode(tokens[i]);
        }
        _token0 = tokens[0];
        _token1 = tokens.length > 1 ? tokens[1] : address(0);
        _token2 = tokens.length > 2 ? tokens[2] : address(0);
        _token3 = tokens.length > 3 ? tokens[3] : address(0);
    }

    /// @inheritdoc IPlanEscrow
    function fund(Terms calldata terms) external nonReentrant {
        _openForCaller(terms);
        _pull(terms.getToken(), msg.sender, terms.getTotal());
    }

    /// @inheritdoc IPlanEscrow
    function fundMany(Terms[] calldata terms) external nonReentrant {
        uint256 sum;
        for (uint256 i = 0; i < terms.length; ++i) {
            _openForCaller(terms[i]);
            sum += terms[i].getTotal();
            if (i + 1 < terms.length && terms[i + 1].getToken() == terms[i].getToken()) continue;
            _pull(terms[i].getToken(), msg.sender, sum);
            sum = 0;
        }
    }

    /// @inheritdoc IPlanEscrow
    function fundWithAuthorization(
        Terms calldata terms,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 id = _open(terms);

        // interaction
        uint256 before = _holds(terms.getToken());
        IReceiveWithAuthorization(terms.getToken()).receiveWithAuthorization(
            terms.getClient(), address(this), terms.getTotal(), validAfter, validBefore, id, signature
        );
        _requireReceived(terms.getToken(), before, terms.getTotal());
    }

    /// @inheritdoc IPlanEscrow
    function fundWithPermit2(Terms calldata terms, uint256 nonce, uint256 deadline, bytes calldata signature)
        external
        nonReentrant
    {
        bytes32 id = _open(terms);

        // interaction
        uint256 before = _holds(terms.getToken());
        PERMIT2.permitWitnessTransferFrom(
            IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(terms.getToken(), terms.getTotal()), nonce, deadline),
            IPermit2.SignatureTransferDetails(address(this), terms.getTotal()),
            terms.getClient(),
            id,
            PERMIT2_WITNESS,
            signature
        );
        _requireReceived(terms.getToken(), before, terms.getTotal());
    }

    /// @inheritdoc IPlanEscrow
    function isTokenAllowed(address token) public view returns (bool) {
        if (token == _token0) return true;
        return token != address(0) && (token == _token1 || token == _token2 || token == _token3);
    }

    function _openForCaller(Terms calldata terms) private returns (bytes32 id) {
        if (msg.sender != terms.getClient()) revert NotClient(msg.sender, terms.getClient());
        id = _open(terms);
    }

    /// @dev Checks the terms and writes the plan as funded; the money follows in the same call or all of it reverts.
    function _open(Terms calldata terms) private returns (bytes32 id) {
        // input
        terms.requireClean();
        (address client, address token) = (terms.getClient(), terms.getToken());
        (uint256 total, uint256 feeBps) = (terms.getTotal(), terms.getFeeBps());
        address arbitrator = terms.getArbitrator();
        _requireParties(client, terms.getEvaluator(), arbitrator, terms.getAuthorizer());
        _requireDeadlines(terms, arbitrator);
        if (!isTokenAllowed(token)) revert TokenNotAllowed(token);
        if (total == 0) revert EmptyTotal();
        if (feeBps != 0) _requireFee(feeBps, terms.getFeeTo());

        // state
        id = planId(terms);
        Plan storage stored = _plans[id];
        // Every word that was ever written has a status.
        if (PlanSlot.unwrap(stored.slot) != 0) revert AlreadyFunded(id);

        // effect
        PlanSlot slot = PlanSlot.wrap(0).withStatus(uint8(PlanStatus.Funded)).withRemaining(uint96(total));
        // A charter in the terms has the client's decision by the funding.
        stored.slot = terms.charter == 0 ? slot : slot.withCharter(0, true);
        emit PlanFunded(id, client, token, uint96(total));
    }

    function _requireFee(uint256 feeBps, address feeTo) private view {
        if (feeBps > MAX_FEE_BPS) revert FeeTooHigh(feeBps, MAX_FEE_BPS);
        if (feeTo == address(0) || feeTo == address(this)) revert MissingFeeTo();
    }

    function _pull(address token, address from, uint256 amount) private {
        uint256 before = _holds(token);
        IERC20(token).safeTransferFrom(from, address(this), amount);
        _requireReceived(token, before, amount);
    }

    function _holds(address token) private view returns (uint256) {
        return Tokens.balanceHere(token);
    }

    function _requireReceived(address token, uint256 before, uint256 expected) private view {
        uint256 received = _holds(token) - before;
        if (received < expected) revert ReceivedLess(received, expected);
    }

    function _requireDeadlines(Terms calldata terms, address arbitrator) private view {
        (uint256 workBy, uint256 reviewBy, uint256 expiry) = (terms.getWorkBy(), terms.getReviewBy(), terms.getExpiry());
        uint256 onSilence = terms.getOnSilence();
        if (block.timestamp >= workBy) _refuseDeadlines(terms);
        if (workBy > reviewBy) _refuseDeadlines(terms);
        if (reviewBy > expiry) _refuseDeadlines(terms);
        unchecked {
            if (expiry - block.timestamp > MAX_DURATION) _refuseDeadlines(terms);
        }
        // Only silence that pays can split.
        if (onSilence > (SILENCE_PAYS | SILENT_REPLACED)) {
            bool known = onSilence <= (SILENCE_PAYS | SILENT_REPLACED | SILENCE_SPLITS);
            if (!known || onSilence & SILENCE_PAYS == 0) revert BadSilence(uint8(onSilence));
        }
        if (arbitrator == address(0)) {
            if (onSilence & SILENCE_PAYS == 0) return;
        }
        unchecked {
            _requireWindow(reviewBy - workBy);
            _requireWindow(expiry - reviewBy);
        }
    }

    function _refuseDeadlines(Terms calldata terms) private view {
        revert BadDeadlines(
            block.timestamp, uint40(terms.getWorkBy()), uint40(terms.getReviewBy()), uint40(terms.getExpiry())
        );
    }

    function _requireWindow(uint256 time) private pure {
        if (time < MIN_WINDOW) revert WindowTooShort(time, MIN_WINDOW);
    }

    function _requireParties(address client, address evaluator, address arbitrator, address authorizer) private view {
        if (client == address(0)) revert MissingClient();
        if (evaluator == address(0)) revert MissingEvaluator();
        if (evaluator == address(this)) revert MissingEvaluator();
        if (evaluator == client) revert SelfDealing(evaluator);
        if (evaluator == arbitrator) revert SelfDealing(evaluator);
        if (arbitrator == client) revert SelfDealing(arbitrator);
        if (authorizer == address(0)) return;
        if (authorizer == evaluator) revert SelfDealing(authorizer);
        if (authorizer == arbitrator) revert SelfDealing(authorizer);
    }
}
