// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {PlanStore} from "./PlanStore.sol";

/// @title Withdrawals of credits, and the signers of an account
abstract contract Credits is PlanStore {
    using SafeERC20 for IERC20;

    bytes32 private constant WITHDRAWAL_TYPEHASH =
        keccak256("CreditWithdrawal(address account,address token,address to,uint256 nonce,uint256 deadline)");
    bytes32 private constant SIGNER_TYPEHASH =
        keccak256("SetSigner(address account,address signer,bool allowed,uint256 nonce,uint256 deadline)");

    /// @inheritdoc IPlanEscrow
    function withdrawCredit(address token, address to) external nonReentrant {
        _withdraw(msg.sender, token, to);
    }

    /// @inheritdoc IPlanEscrow
    function withdrawCreditTo(address account, address token, address to, uint256 deadline, bytes calldata signature)
        external
        nonReentrant
    {
        _spendNonce(WITHDRAWAL_TYPEHASH, account, token, uint160(to), deadline, signature);
        _withdraw(account, token, to);
    }

    /// @inheritdoc IPlanEscrow
    function setSigner(address signer, bool allowed) external nonReentrant {
        _setSigner(msg.sender, signer, allowed);
    }

    /// @inheritdoc IPlanEscrow
    function setSignerBySignature(address account, address signer, bool allowed, uint256 deadline, bytes calldata signature)
        external
        nonReentrant
    {
        _spendNonce(SIGNER_TYPEHASH, account, signer, allowed ? 1 : 0, deadline, signature);
        _setSigner(account, signer, allowed);
    }

    /// @dev The account's word on `about` and `how`, once and in time.
    function _spendNonce(
        bytes32 typehash,
        address account,
        address about,
        uint256 how,
        uint256 deadline,
        bytes calldata signature
    ) private {
        _requireNotAfter(block.timestamp, deadline);
        uint256 nonce = nonceOf[account]++;
        _requireSigned(account, keccak256(abi.encode(typehash, account, about, how, nonce, deadline)), signature);
    }

    function _setSigner(address account, address signer, bool allowed) private {
        isSigner[account][signer] = allowed;
        emit SignerSet(account, signer, allowed);
    }

    function _withdraw(address account, address token, address to) private {
        if (to == address(0) || to == address(this)) revert BadRecipient(to);
        uint256 amount = credit[token][account];
        if (amount == 0) revert NothingToWithdraw(token, account);

        // effect, then interaction
        credit[token][account] = 0;
        emit CreditWithdrawn(token, account, to, amount);
        IERC20(token).safeTransfer(to, amount);
    }
}
